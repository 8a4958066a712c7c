import { useEffect, useState } from 'preact/hooks';

/** Narrow screens get cards instead of table rows; the same width as in the styles. */
export const narrow = '(max-width: 800px)';

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const read = () => setMatches(list.matches);
    read();
    list.addEventListener('change', read);
    return () => list.removeEventListener('change', read);
  }, [query]);
  return matches;
}

import { useEffect, useState } from 'preact/hooks';
import { type Address, formatAddress, parseAddress } from './address.ts';

const replaced = 'evictrank:replaced';

/** The address now, and whenever it changes. */
export function useAddress(): Address {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const read = () => setHash(location.hash);
    addEventListener('hashchange', read);
    addEventListener(replaced, read);
    // Effects run after the first drawing, and the address may have changed since.
    read();
    return () => {
      removeEventListener('hashchange', read);
      removeEventListener(replaced, read);
    };
  }, []);
  return parseAddress(hash);
}

/** Changes the parameters without an entry in the history: nobody wants to go back through every step of a slider. */
export function replaceParameters(
  address: Address,
  parameters: Readonly<Record<string, string | readonly string[] | undefined>>,
): void {
  const known = new Map<string, string[]>();
  for (const name of new Set(address.parameters.keys())) known.set(name, address.parameters.getAll(name));
  const hash = formatAddress(address.path, { ...Object.fromEntries(known), ...parameters });
  history.replaceState(null, '', hash);
  dispatchEvent(new Event(replaced));
}

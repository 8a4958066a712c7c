/** A list of sentences under a heading; nothing where there are none. */
export function Sentences({
  title,
  sentences,
}: {
  readonly title: string;
  readonly sentences: readonly string[];
}) {
  if (sentences.length === 0) return null;
  return (
    <div class="sentences">
      <h3>{title}</h3>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

/** Text of a backend or a library, made fit for a message: one line, bounded, every known secret replaced. */
export type Redact = (text: string) => string;

/** Shorter ones are not worth hiding (they would be found by trying), and replacing them would garble every text. */
const SHORTEST_SECRET = 4;
const LONGEST_TEXT = 500;

/** Long parts of a secret, which stay the same however the text around them is escaped (JSON, HTML, …). */
const TELLING_PART = /[A-Za-z0-9]{8,}/g;

function formsOf(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64'),
    JSON.stringify(secret).slice(1, -1),
    ...(secret.match(TELLING_PART) ?? []),
  ];
}

/** Builds the redaction for one set of secrets, in whatever form a backend or a proxy may echo them. */
export function createRedact(secrets: readonly string[]): Redact {
  const forms = secrets
    .flatMap(formsOf)
    .filter((form) => form.length >= SHORTEST_SECRET)
    // A form that contains another must go first, or its rest would stay.
    .sort((a, b) => b.length - a.length);
  return (text) => {
    let redacted = text;
    for (const form of forms) redacted = redacted.replaceAll(form, '[redacted]');
    const line = redacted.replace(/[\p{Cc}\s]+/gu, ' ').trim();
    return line.length > LONGEST_TEXT ? `${line.slice(0, LONGEST_TEXT)}…` : line;
  };
}

/** The URL as it may be shown: no userinfo, no query string, no fragment. */
export function describeUrl(url: URL): string {
  return `${url.origin}${url.pathname === '/' ? '' : url.pathname}`;
}

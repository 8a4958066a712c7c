/** What a request says of who sends it. */
export type Credentials =
  | { readonly scheme: 'basic'; readonly user: string; readonly password: string }
  | { readonly scheme: 'bearer'; readonly token: string };

/** Reads an Authorization header (RFC 7617 and RFC 6750); undefined where it is absent or of another kind. */
export function readAuthorization(header: string | undefined): Credentials | undefined {
  const match = /^(\w+) +([^ ]+) *$/.exec(header ?? '');
  const [, scheme, value] = match ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  switch (scheme.toLowerCase()) {
    case 'basic':
      return readBasic(value);
    case 'bearer':
      return { scheme: 'bearer', token: value };
    default:
      return undefined;
  }
}

function readBasic(value: string): Credentials | undefined {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  return { scheme: 'basic', user: text.slice(0, colon), password: text.slice(colon + 1) };
}

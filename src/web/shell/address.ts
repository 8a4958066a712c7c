/**
 * The part of the address after `#`: a path and parameters. What a view shows is in it, so that it can be sent to
 * a colleague; the service never sees it.
 */
export interface Address {
  /** Decoded. */
  readonly path: readonly string[];
  readonly parameters: URLSearchParams;
}

export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = splitOnce(hash.replace(/^#\/?/, ''), '?');
  return {
    path: path.split('/').filter(Boolean).map(decode),
    parameters: new URLSearchParams(query),
  };
}

/** Parameters that are undefined or empty are left out. */
export function formatAddress(
  path: readonly string[],
  parameters: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of typeof value === 'string' ? [value] : (value ?? [])) {
      if (one !== '') query.append(name, one);
    }
  }
  const text = `#/${path.map(encodeURIComponent).join('/')}`;
  return query.size === 0 ? text : `${text}?${readable(query)}`;
}

export function nodeAddress(row: { readonly node: string; readonly cluster?: string | undefined }): string {
  return formatAddress(['nodes', row.node], { cluster: row.cluster });
}

export function podAddress(row: {
  readonly namespace: string;
  readonly pod: string;
  readonly cluster?: string | undefined;
}): string {
  return formatAddress(['pods', row.namespace, row.pod], { cluster: row.cluster });
}

/** What needs no escape in a fragment stays as it is, for people read these addresses. */
function readable(query: URLSearchParams): string {
  return query.toString().replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%3D', '=');
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

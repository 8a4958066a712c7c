import { parse, YAMLParseError } from 'yaml';

/**
 * Reads YAML that may hold secrets.
 * @returns `problem` instead of the content where it is none: the parser's own message quotes the line, and so do its
 * warnings, so only the place is told.
 */
export function parseSecretYaml(text: string): { readonly content?: unknown; readonly problem?: string } {
  try {
    return { content: parse(text, { logLevel: 'error' }) };
  } catch (error) {
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    return { problem: `is not YAML${line === undefined ? '' : ` (line ${line})`}` };
  }
}

import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** What the tests read of a service. */
export interface ComposeService {
  readonly profiles?: readonly string[];
  readonly image: string;
  readonly build?: { readonly context: string; readonly target: string };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string; readonly target: string }[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly networks?: { readonly default: { readonly aliases: readonly string[] } };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly configs: Readonly<Record<string, { readonly content: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** The compose file with `${NAME:-default}` filled in from `environment`. */
export function readComposeFile(environment: Readonly<Record<string, string>> = {}): ComposeFile {
  const text = readFileSync('docker-compose.yml', 'utf8').replaceAll(
    /\$\{(\w+):-([^}]*)\}/g,
    (_all, name: string, fallback: string) => environment[name] || fallback,
  );
  return parse(text, { merge: true }) as ComposeFile;
}

/** The services that `--profile` starts, each after those it depends on. */
export function servicesOf(
  { services }: ComposeFile,
  profile: string,
): readonly (readonly [name: string, service: ComposeService])[] {
  const wanted = Object.entries(services).filter(([, { profiles }]) => profiles?.includes(profile) ?? true);
  const ordered: (readonly [string, ComposeService])[] = [];
  while (ordered.length < wanted.length) {
    const startable = wanted.filter(
      ([name, { depends_on = {} }]) =>
        ordered.every(([done]) => done !== name) &&
        Object.keys(depends_on).every((other) => ordered.some(([done]) => done === other)),
    );
    if (startable.length === 0) throw new Error(`services of ${profile} wait for each other, or for none`);
    ordered.push(...startable);
  }
  return ordered;
}

/** Names under which others reach a service. */
export function namesOf(name: string, service: ComposeService): readonly string[] {
  return [name, ...(service.networks?.default.aliases ?? [])];
}

/** `127.0.0.1:9090:9090` → what is listened on outside and inside. */
export function portOf({
  ports = [],
}: ComposeService): { host: string; outside: number; inside: number } | undefined {
  const match = /^(.+):(\d+):(\d+)$/.exec(ports[0] ?? '');
  return match === null
    ? undefined
    : { host: match[1] ?? '', outside: Number(match[2]), inside: Number(match[3]) };
}

export interface Mount {
  /** A path in the repository, or the name of a volume. */
  readonly source: string;
  readonly target: string;
  readonly isVolume: boolean;
  readonly isReadOnly: boolean;
}

export function mountsOf({ volumes = [] }: ComposeService): readonly Mount[] {
  return volumes.map((text) => {
    const [source = '', target = '', mode] = text.split(':');
    return { source, target, isVolume: !source.startsWith('./'), isReadOnly: mode === 'ro' };
  });
}

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChildServer } from '../../src/demo/child-server.ts';
import { leash } from '../../src/demo/leash.ts';
import { findFreePort } from '../../src/demo/loopback.ts';
import { findTool } from '../../src/demo/tool-search.ts';
import { type ComposeService, namesOf, portOf, readComposeFile, servicesOf } from './compose-file.ts';
import { commandOf, settingOf } from './dockerfile.ts';
import { layOut, type Root } from './native-service.ts';

/** The services of one profile of the compose file, run without containers. */
export interface NativeProject {
  /** Base address of a service. */
  url(name: string): string;
  /** Runs the health check of a service as it is written. */
  check(name: string): Promise<void>;
  /** What a one-shot service wrote. */
  output(name: string): string;
  stop(): Promise<void>;
}

export interface ProjectOptions {
  readonly profile: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Stands for /app of both images. */
  readonly appFolder: (target: string) => string;
  /** Further arguments by service. */
  readonly more?: Readonly<Record<string, readonly string[]>>;
}

/** Programs of images that others made: where the image's entry point is natively, and what keeps it on loopback. */
const programs: Readonly<
  Record<string, { tool: 'prometheus' | 'alertmanager'; args: (port: number) => string[] }>
> = {
  'prom/prometheus': {
    tool: 'prometheus',
    args: (port) => [`--web.listen-address=127.0.0.1:${port}`],
  },
  'prom/alertmanager': {
    tool: 'alertmanager',
    args: (port) => [`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
  },
};

export async function startProject(options: ProjectOptions): Promise<NativeProject> {
  const file = readComposeFile(options.environment);
  // Grafana is neither in the repository nor among Debian's packages.
  const services = servicesOf(file, options.profile).filter(([name]) => name !== 'grafana');
  const folder = await mkdtemp(join(tmpdir(), 'evictrank-compose-'));
  await chmod(folder, 0o755);
  const ports = new Map<string, number>();
  const addresses = new Map<string, string>();
  for (const [name, service] of services) {
    const port = portOf(service);
    if (port === undefined) continue;
    const native = await findFreePort();
    ports.set(name, native);
    for (const known of namesOf(name, service))
      addresses.set(`${known}:${port.inside}`, `127.0.0.1:${native}`);
  }
  const url = (name: string): string => `http://127.0.0.1:${ports.get(name)}`;
  const running: { stop(): Promise<void> }[] = [];
  const outputs = new Map<string, string>();

  const project: NativeProject = {
    url,
    check: async (name) => check(file.services[name] as ComposeService, ports.get(name) ?? 0),
    output: (name) => outputs.get(name) ?? '',
    async stop() {
      for (const service of running.splice(0).reverse()) await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  try {
    for (const [name, service] of services) {
      const own = portOf(service);
      const port = ports.get(name) ?? 0;
      const root = await layOut({
        file,
        service,
        folder: join(folder, name),
        addresses:
          own === undefined ? addresses : new Map([...addresses, [`=:${own.inside}`, `=127.0.0.1:${port}`]]),
      });
      const [command, args] = startOf(service, { root, port, appFolder: options.appFolder });
      args.push(...(options.more?.[name] ?? []));
      const environment = translated(service.environment ?? {}, root);
      if (service.healthcheck !== undefined) {
        const readyUrl = healthUrl(service, port);
        running.push(await startChildServer({ name, command, args, readyUrl, environment }));
        await project.check(name);
        continue;
      }
      const child = spawn(command, args, { env: { ...process.env, ...environment } });
      running.push(stoppable(child));
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (text) => outputs.set(name, `${outputs.get(name) ?? ''}${text}`));
      }
      const isWaitedFor = services.some(
        ([, { depends_on = {} }]) => depends_on[name]?.condition === 'service_completed_successfully',
      );
      if (isWaitedFor && (await once(child, 'exit'))[0] !== 0) {
        throw new Error(`${name} failed: ${outputs.get(name)}`);
      }
    }
    return project;
  } catch (error) {
    await project.stop();
    throw error;
  }
}

function startOf(
  service: ComposeService,
  native: { root: Root; port: number; appFolder: (target: string) => string },
): [command: string, args: string[]] {
  const args = (service.command ?? []).map(native.root.translate);
  if (service.build !== undefined) {
    const { target } = service.build;
    const [command = '', script = '', ...entry] = commandOf(target, 'ENTRYPOINT');
    return asImageUser(command, [join(native.appFolder(target), script), ...entry, ...args]);
  }
  const program = programs[service.image.split(':')[0] ?? ''];
  if (program === undefined) throw new Error(`no native program is known for ${service.image}`);
  const path = findTool(program.tool);
  if (path === undefined) throw new Error(`${program.tool} is not installed`);
  return [path, [...args, ...program.args(native.port)]];
}

/** Root can become the user of the image, who may write nothing but the volume. */
function asImageUser(command: string, args: string[]): [command: string, args: string[]] {
  if (process.getuid?.() !== 0) return [command, args];
  const [user, group] = settingOf('base', 'USER').split(':');
  return ['setpriv', [`--reuid=${user}`, `--regid=${group}`, '--clear-groups', command, ...args]];
}

const translated = (variables: Readonly<Record<string, string>>, root: Root): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, root.translate(value)]));

/** The address in a health check, natively. */
function healthUrl({ healthcheck }: ComposeService, port: number): string {
  const [, path] = /http:\/\/127\.0\.0\.1:\d+(\/[^'"]*)/.exec(healthcheck?.test.join(' ') ?? '') ?? [];
  if (path === undefined) throw new Error('the health check asks no address');
  return `http://127.0.0.1:${port}${path}`;
}

async function check(service: ComposeService, port: number): Promise<void> {
  const [kind, program = '', ...args] = service.healthcheck?.test ?? [];
  if (kind !== 'CMD') throw new Error(`a health check of kind ${kind}`);
  const inside = portOf(service)?.inside;
  const native = args.map((arg) => arg.replaceAll(`127.0.0.1:${inside}`, `127.0.0.1:${port}`));
  if (native.join() === args.join()) throw new Error(`the health check does not ask port ${inside}`);
  await promisify(execFile)(program, native);
}

/** Ends with this process, however that ends. */
function stoppable(child: ChildProcess): { stop(): Promise<void> } {
  const untie = child.pid === undefined ? () => undefined : leash(child.pid, undefined);
  return {
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit');
        child.kill('SIGTERM');
        await gone;
      }
      untie();
    },
  };
}

import { execFileSync, spawnSync } from 'node:child_process';
import { parseAllDocuments } from 'yaml';
import { type GoProgram, obtainGoProgram } from '../support/tool-cache.ts';

/** An object of Kubernetes, as far as the tests look into any. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: what is below depends on the kind, and a wrong path fails the test.
  readonly [field: string]: any;
}

export type Values = Readonly<Record<string, unknown>>;

export const chart = 'deploy/helm/evictrank';
export const newestKubernetes = '1.37.0';

const linterVersion = 'helm.sh/helm/v3/pkg/lint/rules';
/** Helm; the linker's flags say which Kubernetes its linter knows, as in Helm's own Makefile. */
const helmProgram: GoProgram = {
  name: 'helm',
  module: 'helm.sh/helm/v3',
  path: 'cmd/helm',
  version: 'v3.22.0',
  linkerFlags: `-X ${linterVersion}.k8sVersionMajor=1 -X ${linterVersion}.k8sVersionMinor=37`,
};

/** What is required, and nothing else. */
export const requiredValues = {
  prometheus: { url: 'http://prometheus:9090' },
  image: { repository: 'registry.example/evictrank' },
};

export interface TemplateOptions {
  readonly kubernetes?: string;
  readonly folder?: string;
  readonly namespace?: string;
}

export class Helm {
  private readonly program: string;
  /** Rendering is a pure function, and not a fast one. */
  private readonly rendered = new Map<string, string>();

  private constructor(program: string) {
    this.program = program;
  }

  static async obtain(): Promise<Helm> {
    return new Helm(await obtainGoProgram(helmProgram));
  }

  /** Runs helm with values from standard input. Throws with what it says where it fails. */
  run(args: readonly string[], values: Values = {}): string {
    const options = { input: JSON.stringify(values), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
    const { status, stdout, stderr } = spawnSync(this.program, [...args, '--values', '-'], options);
    if (status !== 0) throw new Error(`${stdout}${stderr}`);
    return stdout;
  }

  /** The text of `helm template` for a release "evictrank". */
  template(values: Values, options: TemplateOptions = {}): string {
    const { kubernetes = newestKubernetes, folder = chart, namespace = 'monitoring' } = options;
    const args = ['template', 'evictrank', folder, '--namespace', namespace, '--kube-version', kubernetes];
    const key = JSON.stringify([args, values]);
    const text = this.rendered.get(key) ?? this.run(args, values);
    this.rendered.set(key, text);
    return text;
  }

  /** What would be installed. */
  objects(values: Values): readonly KubernetesObject[] {
    return objectsOf(this.template(values));
  }

  package(into: string): void {
    execFileSync(this.program, ['package', chart, '--destination', into], { stdio: 'pipe' });
  }
}

export function objectsOf(manifest: string): readonly KubernetesObject[] {
  return parseAllDocuments(manifest).flatMap((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    const object = document.toJS() as KubernetesObject | null;
    return object === null ? [] : [object];
  });
}

/** Not of a custom resource. */
export const isBuiltIn = ({ apiVersion }: KubernetesObject): boolean =>
  !apiVersion.startsWith('monitoring.coreos.com/');

/** The only object of a kind. Throws where there is none, or more. */
export function only(objects: readonly KubernetesObject[], kind: string): KubernetesObject {
  const [found, ...more] = objects.filter((object) => object.kind === kind);
  if (found === undefined || more.length > 0) throw new Error(`there is not exactly one ${kind}`);
  return found;
}

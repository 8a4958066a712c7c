import { type GoProgram, obtainGoProgram } from './tool-cache.ts';

/** The version that Prometheus says it is, which its own build sets. */
const versionFlag = (version: string): string => `-X github.com/prometheus/common/version.Version=${version}`;

/** Newer servers than the packages bring, by the environment variable that names each. */
const newerServers: Readonly<Record<string, GoProgram>> = {
  PROMETHEUS_BIN: {
    name: 'prometheus',
    module: 'github.com/prometheus/prometheus',
    path: 'cmd/prometheus',
    version: 'v0.316.0',
    // The clients of two dozen clouds would take most of the time.
    tags: 'remove_all_sd',
    linkerFlags: versionFlag('3.16.0'),
    isOptimised: true,
  },
  VICTORIA_METRICS_BIN: {
    name: 'victoria-metrics',
    module: 'github.com/VictoriaMetrics/VictoriaMetrics',
    path: 'app/victoria-metrics',
    version: 'v1.153.0',
    toolchain: 'go1.27.3',
    isOptimised: true,
  },
  THANOS_BIN: {
    name: 'thanos',
    module: 'github.com/thanos-io/thanos',
    path: 'cmd/thanos',
    version: 'v0.42.5',
    // As in its own build: it reads the labels of Prometheus by their layout in memory.
    tags: 'slicelabels',
    linkerFlags: versionFlag('0.42.5'),
    toolchain: 'go1.27.3',
    isOptimised: true,
  },
};

/**
 * The environment that makes the tests run on the newer servers, built where they are not in the cache: some ten
 * minutes on two cores. One that is named in the environment already is taken as it is. `report` is told of each.
 */
export async function obtainNewerServers(report: (line: string) => void): Promise<Record<string, string>> {
  const paths: Record<string, string> = {};
  for (const [variable, program] of Object.entries(newerServers)) {
    report(`${variable}: ${process.env[variable] ?? `${program.module}@${program.version}`}`);
    paths[variable] = process.env[variable] ?? (await obtainGoProgram(program));
  }
  return paths;
}

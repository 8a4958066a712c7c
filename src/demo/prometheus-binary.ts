import { spawnSync } from 'node:child_process';
import { obtainTools } from './tool-install.ts';
import { findTool, ToolMissingError } from './tool-search.ts';

/** How to start Prometheus: a program, and the arguments that come before Prometheus' own. */
export interface PrometheusProgram {
  readonly command: string;
  /** Arguments before Prometheus' own; `folder` is the only folder it needs to read and write. */
  readonly argumentsBefore: (folder: string) => readonly string[];
  /** For the reader: what is used. */
  readonly description: string;
}

/** A release with the remote write receiver, pinned so that the demo does not change by itself. */
export const dockerImage = 'prom/prometheus:v3.5.0';

/**
 * A real Prometheus: `$PROMETHEUS_BIN`, PATH, `apt-get install prometheus`, the same package unpacked without root,
 * Docker; else ToolMissingError that says what was tried and what to do. `report` is told of every slow step.
 */
export function obtainPrometheus(report?: (line: string) => void): PrometheusProgram {
  const { reason } = obtainTools(['prometheus'], report);
  const path = findTool('prometheus');
  if (path !== undefined) {
    return nativeProgram(path);
  }
  if (spawnSync('docker', ['version'], { stdio: 'ignore' }).status === 0) {
    return dockerProgram();
  }
  throw new ToolMissingError(`no Prometheus found: not in PATH, ${reason}, and no Docker engine answers`, {
    remedy: 'install Prometheus 2.39 or later and put it into PATH, or name it in PROMETHEUS_BIN',
  });
}

function nativeProgram(path: string): PrometheusProgram {
  return { command: path, argumentsBefore: () => [], description: path };
}

/** The container shares the host's network and the folder's path, so that Prometheus' own arguments stay the same. */
function dockerProgram(): PrometheusProgram {
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
  return {
    command: 'docker',
    argumentsBefore: (folder) => [
      ...['run', '--rm', '--network', 'host', '--user', user],
      ...['--volume', `${folder}:${folder}`, dockerImage],
    ],
    description: `Docker image ${dockerImage}`,
  };
}

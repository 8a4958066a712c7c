/** A program of others that the demo or the tests run. */
export interface Tool {
  /** Environment variable that names the program and overrides every search. */
  readonly environmentVariable: string;
  /** Names it goes by in PATH: upstream's, Debian's, other distributions'. */
  readonly programs: readonly string[];
  /** Debian and Ubuntu package that brings it. */
  readonly aptPackage: string;
  /** Service the package would start at boot; it is disabled where this project installed the package. */
  readonly unit: string | undefined;
  /** True where the program needs no other package, so that it can be unpacked without root. */
  readonly isSelfContained: boolean;
}

/** Every such program, one row each. */
export const tools = {
  prometheus: {
    environmentVariable: 'PROMETHEUS_BIN',
    programs: ['prometheus'],
    aptPackage: 'prometheus',
    unit: 'prometheus.service',
    isSelfContained: true,
  },
  promtool: {
    environmentVariable: 'PROMTOOL_BIN',
    programs: ['promtool'],
    aptPackage: 'prometheus',
    unit: 'prometheus.service',
    isSelfContained: true,
  },
  alertmanager: {
    environmentVariable: 'ALERTMANAGER_BIN',
    programs: ['alertmanager', 'prometheus-alertmanager'],
    aptPackage: 'prometheus-alertmanager',
    unit: 'prometheus-alertmanager.service',
    isSelfContained: true,
  },
  victoriaMetrics: {
    environmentVariable: 'VICTORIA_METRICS_BIN',
    programs: ['victoria-metrics', 'victoria-metrics-prod'],
    aptPackage: 'victoria-metrics',
    unit: 'victoria-metrics.service',
    isSelfContained: true,
  },
  chromium: {
    environmentVariable: 'CHROMIUM_BIN',
    programs: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    aptPackage: 'chromium',
    unit: undefined,
    isSelfContained: false,
  },
} as const satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

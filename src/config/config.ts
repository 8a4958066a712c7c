import { type Combination, loadSettings, type SettingSources } from './load.ts';
import { type Config, options } from './options.ts';

const combinations: readonly Combination<typeof options>[] = [
  {
    isBroken: (c) => (c.prometheusUsername === undefined) !== (c.prometheusPasswordFile === undefined),
    problem: '--prometheus.username and --prometheus.password-file need each other',
  },
  {
    isBroken: (c) => (c.prometheusCertFile === undefined) !== (c.prometheusKeyFile === undefined),
    problem: '--prometheus.cert-file and --prometheus.key-file need each other',
  },
  {
    isBroken: (c) => c.prometheusUsername !== undefined && c.prometheusBearerTokenFile !== undefined,
    problem: '--prometheus.username and --prometheus.bearer-token-file exclude each other',
  },
];

/**
 * The configuration of the service.
 * @throws ConfigError listing every problem.
 */
export function loadConfig(sources: SettingSources): Config {
  return loadSettings(options, sources, combinations);
}

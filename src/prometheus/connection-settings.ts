import type { Config } from '../config/options.ts';
import type { ConnectionSettings } from './connection.ts';

/** How often a query is tried in all, and the first wait between two tries. */
const retries = { attempts: 3, baseDelayMs: 250 } as const;

/** The connection, from the settings. */
export function connectionSettings(config: Config): ConnectionSettings {
  return {
    url: config.prometheusUrl,
    dialect: config.prometheusDialect,
    timeoutMs: config.prometheusTimeoutMs,
    concurrency: config.prometheusConcurrency,
    maxBodyBytes: config.prometheusMaxBodyBytes,
    retries,
    bearerTokenFile: config.prometheusBearerTokenFile,
    basicAuth:
      config.prometheusUsername === undefined || config.prometheusPasswordFile === undefined
        ? undefined
        : { username: config.prometheusUsername, passwordFile: config.prometheusPasswordFile },
    headers: config.prometheusHeaders,
    tenant: config.prometheusTenant,
    tls: {
      caFile: config.prometheusCaFile,
      certFile: config.prometheusCertFile,
      keyFile: config.prometheusKeyFile,
      serverName: config.prometheusServerName,
      insecureSkipVerify: config.prometheusInsecureSkipVerify,
    },
  };
}

import { z } from 'zod';

/**
 * The file of --web.config.file, in the format that Prometheus and its exporters share (prometheus/exporter-toolkit
 * `docs/web-configuration.md`): of it, TLS and basic auth. `bearer_token_files` is an addition of this program.
 */

/** Names of Go's `tls.ClientAuthType`, which the format uses. */
export const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;
export type ClientAuthType = (typeof clientAuthTypes)[number];

const file = z.string().min(1, 'must name a file');
const tlsVersion = z.enum(['TLS12', 'TLS13'], 'must be TLS12 or TLS13');

const tlsServer = z.strictObject({
  cert_file: file,
  key_file: file,
  client_auth_type: z
    .enum(clientAuthTypes, `must be one of ${clientAuthTypes.join(', ')}`)
    .default('NoClientCert'),
  client_ca_file: file.optional(),
  min_version: tlsVersion.default('TLS12'),
  max_version: tlsVersion.default('TLS13'),
});

/** A colon ends the name in the header (RFC 7617, section 2). */
const userName = z.string().regex(/^[^:\p{Cc}]+$/u, 'a user name must not be empty nor contain a colon');

/** bcrypt: version, cost, 22 characters of salt and 31 of hash. A cost above 14 takes over a second of CPU. */
const bcryptHash = z
  .string('must be a bcrypt hash')
  .regex(
    /^\$2[aby]\$(?:0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/,
    'must be a bcrypt hash with a cost from 4 to 14, as htpasswd -nBC 10 "" writes it; the password itself must not be here',
  );

const sections = z.strictObject({
  tls_server_config: tlsServer.optional(),
  basic_auth_users: z.record(userName, bcryptHash).optional(),
  bearer_token_files: z.array(file).optional(),
});

const anyFile = z.string().optional().catch(undefined);
/** The files that a configuration names, however wrong the rest of it is: whether they are there is told with that. */
export const namedFiles = z
  .object({
    tls_server_config: z.object({ cert_file: anyFile, key_file: anyFile, client_ca_file: anyFile }).catch({}),
    bearer_token_files: z.array(anyFile).catch([]),
  })
  .partial()
  .catch({});

/** An empty file switches everything off, as in the exporters. */
export const webConfigFile = z
  .preprocess((content) => content ?? {}, sections)
  .superRefine((config, context) => {
    const { tls_server_config: tls } = config;
    if (tls === undefined) return;
    const { client_auth_type: policy, client_ca_file: ca } = tls;
    if (tls.min_version === 'TLS13' && tls.max_version === 'TLS12') {
      context.addIssue('tls_server_config: min_version is above max_version');
    }
    if (ca !== undefined && policy === 'NoClientCert') {
      context.addIssue('tls_server_config: client_ca_file does nothing without client_auth_type');
    }
    // Without it the public authorities would be asked, and anybody can have a certificate of those.
    if (
      ca === undefined &&
      (policy === 'VerifyClientCertIfGiven' || policy === 'RequireAndVerifyClientCert')
    ) {
      context.addIssue(`tls_server_config: client_auth_type ${policy} needs client_ca_file`);
    }
  });

export type WebConfigFile = z.output<typeof webConfigFile>;

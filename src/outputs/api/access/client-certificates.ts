import type { Server, TLSSocket } from 'node:tls';
import type { WebConfig } from './web-config.ts';
import type { ClientAuthType } from './web-config-schema.ts';

interface Policy {
  /** Ask for a certificate during the handshake. */
  readonly requestCert: boolean;
  readonly mustBeThere: boolean;
  readonly mustBeValid: boolean;
}

/** What the names of Go's `crypto/tls` mean (`ClientAuthType`). */
const policies: Readonly<Record<ClientAuthType, Policy>> = {
  NoClientCert: { requestCert: false, mustBeThere: false, mustBeValid: false },
  RequestClientCert: { requestCert: true, mustBeThere: false, mustBeValid: false },
  RequireAnyClientCert: { requestCert: true, mustBeThere: true, mustBeValid: false },
  VerifyClientCertIfGiven: { requestCert: true, mustBeThere: false, mustBeValid: true },
  RequireAndVerifyClientCert: { requestCert: true, mustBeThere: true, mustBeValid: true },
};

/** Whether Node should end a handshake itself, before anything of the connection is looked at. */
function endsHandshake({ mustBeThere, mustBeValid }: Policy): boolean {
  return mustBeThere && mustBeValid;
}

function accepts({ mustBeThere, mustBeValid }: Policy, socket: TLSSocket): boolean {
  const isThere = socket.getPeerX509Certificate() !== undefined;
  if (!isThere) return !mustBeThere;
  return !mustBeValid || socket.authorized;
}

/** Options of `https.createServer` for a configuration with TLS. */
export function tlsOptions({ tls }: WebConfig) {
  if (tls === undefined) return undefined;
  const { cert, key, ca, minVersion, maxVersion, clientAuth } = tls;
  const policy = policies[clientAuth];
  return {
    context: { cert, key, minVersion, maxVersion, ...(ca === undefined ? {} : { ca }) },
    handshake: { requestCert: policy.requestCert, rejectUnauthorized: endsHandshake(policy) },
  };
}

/** Holds every new connection to the policy in force, and lets the server follow a configuration that changed. */
export function followClientPolicy(server: Server, current: () => WebConfig): { update(): void } {
  server.on('secureConnection', (socket) => {
    const { tls } = current();
    if (tls !== undefined && !accepts(policies[tls.clientAuth], socket)) socket.destroy();
  });
  return {
    update() {
      const options = tlsOptions(current());
      if (options === undefined) return;
      server.setSecureContext(options.context);
      // Node reads both at every connection (`lib/_tls_wrap.js`). Were that to change, connections would be refused
      // above and none let in, since a certificate that was not asked for is not there.
      Object.assign(server, options.handshake);
    },
  };
}

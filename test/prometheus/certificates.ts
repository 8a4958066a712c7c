import { type GenerateResult, generate } from 'selfsigned';

const VALIDITY = () => ({
  keyType: 'ec' as const,
  algorithm: 'sha256',
  notBeforeDate: new Date(Date.now() - 60_000),
  notAfterDate: new Date(Date.now() + 3_600_000),
});

/** A certificate authority of its own. */
export function createAuthority(name: string): Promise<GenerateResult> {
  return generate([{ name: 'commonName', value: name }], {
    ...VALIDITY(),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
}

/** A certificate for a server at 127.0.0.1 or at a DNS name, or for a client, signed by `authority`. */
export function issueCertificate(name: string, authority: GenerateResult): Promise<GenerateResult> {
  return generate([{ name: 'commonName', value: name }], {
    ...VALIDITY(),
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      {
        name: 'subjectAltName',
        altNames: [name === '127.0.0.1' ? { type: 7, ip: name } : { type: 2, value: name }],
      },
    ],
  });
}

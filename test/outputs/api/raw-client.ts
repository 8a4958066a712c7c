import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { onTestFinished } from 'vitest';
import { openAccess, type WebConfig } from '../../../src/outputs/api/access/web-config.ts';
import { createAuthority, issueCertificate } from '../../prometheus/certificates.ts';

/** Both ways to be reached; limits hold on either. */
export const schemes = ['http', 'https'] as const;
export type Scheme = (typeof schemes)[number];

/** What `startApi` is given for a scheme. */
export async function accessFor(scheme: Scheme): Promise<{ readonly access?: () => WebConfig }> {
  if (scheme === 'http') return {};
  const { cert, private: key } = await issueCertificate('127.0.0.1', await createAuthority('test authority'));
  const tls = {
    cert: Buffer.from(cert),
    key: Buffer.from(key),
    ca: undefined,
    clientAuth: 'NoClientCert',
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
  } as const;
  return { access: () => ({ ...openAccess, tls }) };
}

export interface RawClient {
  readonly socket: Socket;
  /** What was received so far, a character for each byte. */
  text(): string;
  readonly closed: Promise<void>;
}

/** A connection without any manners of an HTTP client. */
export function open(url: string): RawClient {
  const { protocol, hostname, port } = new URL(url);
  const at = { host: hostname, port: Number(port) };
  const socket = protocol === 'https:' ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at);
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  onTestFinished(() => void socket.destroy());
  return { socket, text: () => received, closed };
}

/** Everything that is answered to a GET. */
export async function answerTo(url: string, path: string, headers = ''): Promise<string> {
  const client = open(url);
  client.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`);
  await client.closed;
  return client.text();
}

/** Takes a byte a second, like a reader on the worst of lines. */
export function readSlowly({ socket }: RawClient): void {
  socket.pause();
  const timer = setInterval(() => socket.read(1), 1_000);
  socket.once('close', () => clearInterval(timer));
}

export async function within<T>(ms: number, what: Promise<T>): Promise<'in time' | 'too late'> {
  return Promise.race([what.then(() => 'in time' as const), delay(ms, 'too late' as const)]);
}

import { createServer } from 'node:net';

/** Whether nobody listens on this loopback port: else another server would answer as if it were ours. */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A loopback port that was free a moment ago. Another process may take it before it is used: try again then. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') {
          reject(new Error('a TCP server has no port'));
        } else {
          resolve(address.port);
        }
      });
    });
  });
}

import { connect, type Socket } from 'node:net';

/** Clients that ask for all metrics and then read a byte a second. */
export interface SlowReaders {
  /** How many still hold their connection. */
  connected(): number;
  stop(): void;
}

export function startSlowReaders(url: string, count: number): SlowReaders {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, (): Socket => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write('GET /metrics HTTP/1.1\r\nHost: bench\r\n\r\n');
    socket.pause();
    return socket;
  });
  const timer = setInterval(() => {
    for (const socket of sockets) socket.read(1);
  }, 1_000);
  return {
    connected: () => sockets.filter(({ closed }) => !closed).length,
    stop() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
    },
  };
}

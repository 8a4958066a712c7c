import { Presets, SingleBar } from 'cli-progress';

/** Shows how far a long step is: a bar on a terminal, a line for every quarter elsewhere. */
export interface Progress {
  /** From 0 to 1. */
  advance(share: number, note: string): void;
  finish(note: string): void;
}

export function createProgress(what: string, stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? barOn(what, stream) : linesOn(what, stream);
}

function barOn(what: string, stream: NodeJS.WriteStream): Progress {
  const bar = new SingleBar(
    { stream, format: `${what} {bar} {percentage} % {note}`, hideCursor: true, clearOnComplete: false },
    Presets.shades_classic,
  );
  bar.start(100, 0, { note: '' });
  return {
    advance: (share, note) => bar.update(Math.floor(share * 100), { note }),
    finish: (note) => {
      bar.update(100, { note });
      bar.stop();
    },
  };
}

function linesOn(what: string, stream: NodeJS.WriteStream): Progress {
  let quarters = 0;
  stream.write(`${what} …\n`);
  return {
    advance: (share, note) => {
      if (Math.floor(share * 4) > quarters && share < 1) {
        quarters = Math.floor(share * 4);
        stream.write(`${what} ${quarters * 25} % ${note}\n`);
      }
    },
    finish: (note) => {
      stream.write(`${what} done: ${note}\n`);
    },
  };
}

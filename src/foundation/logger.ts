import { type DestinationStream, destination, type Logger as PinoLogger, pino } from 'pino';
import { formatLogfmt } from './logfmt.ts';

/** The structured logger handed to everything that may log. */
export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error'>;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';
export type LogFormat = 'json' | 'logfmt';

/** A logger that writes one line per event to standard error, so that standard output stays data. */
export function createLogger(level: LogLevel, format: LogFormat = 'json'): Logger {
  const standardError = destination({ fd: 2, sync: true });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    format === 'json' ? standardError : logfmtStream(standardError),
  );
}

export const silentLogger: Logger = pino({ level: 'silent' });

/** Turns the JSON lines of pino into logfmt. */
export function logfmtStream(target: DestinationStream): DestinationStream {
  return {
    write: (line) => target.write(`${formatLogfmt(JSON.parse(line) as Record<string, unknown>)}\n`),
  };
}

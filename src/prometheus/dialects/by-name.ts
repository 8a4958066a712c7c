import type { Dialect, DialectName } from './dialect.ts';
import { mimir } from './mimir.ts';
import { prometheus } from './prometheus.ts';
import { thanos } from './thanos.ts';
import { victoriametrics } from './victoriametrics.ts';

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  prometheus,
  thanos,
  mimir,
  victoriametrics,
};

import { parseArgs } from 'node:util';
import { measureRefreshes } from './refresh-run.ts';
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      pods: { type: 'string', default: '150000' },
      nodes: { type: 'string', default: '5000' },
      n: { type: 'string', default: '3' },
    },
  });
  const figures = await measureRefreshes(
    { pods: Number(values.pods), nodes: Number(values.nodes) },
    { refreshes: Number(values.n), say: console.log },
  );
  console.log(JSON.stringify(figures, null, 1));
}

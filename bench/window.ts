import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { removeFolder } from '../test-support/remove-folder.ts';
import { measureDrop } from './window/drop.ts';
import { measureMillion } from './window/million.ts';
import { measureStart } from './window/start.ts';
import { measureTransfers } from './window/transfers.ts';

/** Each is a file in window/, and gets an empty folder. */
const parts = {
  start: measureStart,
  transfers: measureTransfers,
  drop: measureDrop,
  million: measureMillion,
};

/**
 * The built window, on Electron if its binary is here and COFFER_SHELL is not `chromium`, else on the stand-in. Arguments: the parts,
 * if not all; `--rounds N` of starts and transfers (3), `--rows N` of the long list (1,000,000).
 */
export async function run(args: string[]): Promise<void> {
  const options = {
    rounds: { type: 'string', default: '3' },
    rows: { type: 'string', default: '1000000' },
  } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const unknown = positionals.find((name) => !(name in parts));
  if (unknown !== undefined)
    throw new Error(`There is no part "${unknown}". There are: ${Object.keys(parts).join(', ')}`);
  const counts = { rounds: Number(values.rounds), rows: Number(values.rows) };
  const load = `${(loadavg()[0] ?? 0).toFixed(1)} of ${String(availableParallelism())}`;
  console.log(
    `busy cores before: ${load}; times are wall clock, and grow with what else runs here: trust ratios and CPU times\n`,
  );
  for (const [name, measure] of Object.entries(parts)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const folder = await mkdtemp(join(tmpdir(), 'coffer-bench-'));
    try {
      await measure(folder, counts);
    } finally {
      await removeFolder(folder);
    }
  }
}

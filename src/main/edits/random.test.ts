import { expect, test, vi } from 'vitest';
import { runEdits } from '../../../test-support/main/edits/random-edits.ts';

const seeds = Array.from(
  { length: Number(process.env['SEEDS'] ?? 6) },
  (_, at) => at + Number(process.env['FROM'] ?? 1),
);

/** false: saves are not visible in ctime, as on FAT and some network drives. */
const file = vi.hoisted(() => ({ hasCtime: true }));
vi.mock(import('../local-files/file-state.ts'), async (original) => {
  const { isUntouched, isSameState, ...others } = await original();
  const isSame: typeof isUntouched = (one, other) => (file.hasCtime ? isUntouched : isSameState)(one, other);
  return { ...others, isSameState, isUntouched: isSame };
});

test.each(seeds.slice(0, 2))('edits over a real folder, from seed %i', keepsPromises);

test.each(seeds.slice(2))('edits over a real folder, from seed %i', { tags: 'all' }, keepsPromises);

async function keepsPromises(seed: number): Promise<void> {
  file.hasCtime = seed % 2 === 0;
  const lines: string[] = [];
  await runEdits(seed, (line) => lines.push(line)).catch((cause: unknown) => {
    throw new Error(`seed ${seed}: ${String(cause)}\n${lines.join('\n')}`, { cause });
  });
  expect(lines).toContain('end');
}

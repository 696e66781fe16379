import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultServer } from '../../../e2e/faults/fault-server.ts';
import { openWorld } from '../../../test-support/command/command-world.ts';
import { runInTerminal } from '../../../test-support/command/run-command.ts';
import { runLine } from '../../../test-support/command/run-line.ts';
import type { Transfer } from '../../shared/domain/transfer.ts';
import { createTransferProgress } from './follow.ts';

const transfer = (state: Transfer['state'], doneBytes: number, totalBytes: number | null) =>
  ({ state, doneBytes, totalBytes }) as Transfer;

test('includes ended transfers and never decreases', () => {
  const shown: [string | null, number | undefined][] = [];
  const show = createTransferProgress(
    { showsProgress: true, progress: (words, fraction) => shown.push([words, fraction]) },
    3,
  );
  show([transfer('uploading', 60, 100), transfer('waiting', 0, 100), transfer('waiting', 0, 100)]);
  show([transfer('done', 100, 100), transfer('uploading', 50, 100), transfer('waiting', 0, 100)]);
  show([transfer('waiting', 0, 100), transfer('failed', 0, 100)]);
  expect(shown.map(([words]) => words)).toEqual([
    '0 of 3  60 of 300 B',
    '1 of 3  150 of 300 B',
    '2 of 3  200 of 300 B',
  ]);
  const fractions = shown.map(([, fraction]) => fraction ?? 0);
  expect(fractions).toEqual(fractions.toSorted((one, other) => one - other));
});

describe.skipIf(process.platform !== 'linux')('the bar', () => {
  /**
   * Output of `coffer known` in a real terminal, or in this process, like in a terminal or in pipes. `isShown`: the service does not
   * answer, and the command is interrupted as soon as its bar is shown.
   */
  async function check(
    options: string,
    more: NodeJS.ProcessEnv,
    where: 'real' | 'terminal' | 'pipes',
    isShown = false,
  ): Promise<string> {
    const world = await openWorld({ with: 'memory' });
    const service = await startFaultServer({
      plan: () => (isShown ? { holdRequest: () => false } : { delayMs: 500 }),
    });
    onTestFinished(() => service.close());
    const { signal } = new AbortController();
    const env = { ...world.env, COFFER_ADDRESS: service.baseAddress, COFFER_TOKEN: service.token, ...more };
    const run = { cwd: world.files, env, signal, isRaw: true };
    const line = `coffer known x ${options}`;
    // Without the bar this fails.
    const types = isShown ? [['0 of 1', '\u0003'] as const] : [];
    const { stdout, stderr } = await (where === 'real'
      ? runInTerminal(line, types, run)
      : runLine(line, { ...run, types: where === 'terminal' ? types : null }));
    return stdout + stderr;
  }

  test('shows it on a terminal only, unless switched off', async () => {
    const [terminal, pipes, plain, dumb, off, quiet] = await Promise.all([
      check('', {}, 'terminal', true),
      check('', {}, 'pipes'),
      check('', { NO_COLOR: '1' }, 'terminal'),
      check('', { TERM: 'dumb' }, 'terminal'),
      check('--no-progress', {}, 'terminal'),
      check('--quiet', {}, 'terminal'),
    ]);
    expect(terminal).toContain('0 of 1');
    for (const shown of [pipes, plain, dumb, off, quiet]) expect(shown).not.toContain('0 of 1');
    expect(dumb).not.toContain('\u001b');
  });

  test('shows it from the real command on a real terminal', { tags: 'all' }, async () => {
    expect(await check('', {}, 'real', true)).toContain('0 of 1');
  });
});

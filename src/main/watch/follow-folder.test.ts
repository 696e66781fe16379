import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { createVirtualClock } from '../../../test-support/main/transfers/virtual-clock.ts';
import { belowOf } from '../upload-plan/read-files.ts';
import { followFolder, type Checked } from './follow-folder.ts';

const settleMs = 10_000;

async function follow() {
  const folder = await makeTestFolder();
  const clock = createVirtualClock();
  const off = new AbortController();
  /** Paths, by the call that sent them. */
  const sent: string[][] = [];
  const known = new Set<string>();
  let checked: Checked | null = null;
  const { wake, ended } = followFolder({
    folder,
    clock,
    settleMs,
    signal: off.signal,
    ignores: () => false,
    isKnown: (path) => known.has(path),
    async send(files) {
      const paths = files.map(belowOf);
      sent.push(paths);
      for (const path of paths) known.add(path);
      return new Map();
    },
    recall: async () => undefined,
    onChecked: (now) => (checked = now),
    onFailed: (cause) => {
      throw cause;
    },
  });
  onTestFinished(async () => {
    off.abort();
    await ended;
  });
  await clock.advance(0);
  return { folder, clock, wake, sent, checked: () => checked };
}

test('reads a folder at once when the computer wakes up', async () => {
  const { folder, clock, wake, checked } = await follow();
  writeFileSync(join(folder, 'a.txt'), 'one');
  await clock.advance(1000);
  clock.sleep(3_600_000);
  await clock.advance(0);
  expect(checked()).toMatchObject({ state: 'watching', settling: 0 });
  wake();
  await clock.advance(0);
  expect(checked()).toMatchObject({ state: 'watching', settling: 1 });
});

test('sends 100,000 files that appear, each once', { tags: 'all', timeout: 300_000 }, async () => {
  const { folder, clock, sent, checked } = await follow();
  const written = Array.from({ length: 100_000 }, (_, at) => `${at % 100}/${at}.txt`);
  for (let at = 0; at < 100; at += 1) mkdirSync(join(folder, String(at)));
  for (const path of written) writeFileSync(join(folder, path), 'x');
  await clock.advance(2 * settleMs);
  expect(sent.flat().toSorted()).toEqual(written.toSorted());
  expect(Math.max(...sent.map(({ length }) => length))).toBe(1000);
  sent.length = 0;
  writeFileSync(join(folder, '7/one more.txt'), 'x');
  await clock.advance(2 * settleMs);
  expect(sent).toEqual([['7/one more.txt']]);
  expect(checked()).toMatchObject({ state: 'watching', settling: 0, skippedCount: 0, error: null });
});

import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { createVirtualClock } from '../../../test-support/main/transfers/virtual-clock.ts';
import { followFile } from './follow-file.ts';

/** Follows a file in virtual time, on a system that reports every change, and records the detected saves. */
async function follow(content: string) {
  const folder = await makeTestFolder();
  const path = join(folder, 'minutes.txt');
  await writeFile(path, content);
  const clock = createVirtualClock();
  const ended = new AbortController();
  onTestFinished(() => ended.abort());
  const saves: string[] = [];
  let tell: () => void = () => undefined;
  followFile({
    folder,
    path,
    clock,
    signal: ended.signal,
    watchFolder: (_folder, onEvent) => {
      tell = onEvent;
      return () => undefined;
    },
    async onQuiet() {
      saves.push(await readFile(path, 'utf8'));
      return true;
    },
    onChecked: () => undefined,
    onFailed: (cause) => {
      throw cause;
    },
  });
  await clock.advance(20_000);
  saves.length = 0;
  return {
    saves,
    pass: (ms: number) => clock.advance(ms),
    change: async (by: Promise<void>): Promise<void> => {
      await by;
      tell();
    },
    path,
  };
}

test('a growing file counts as saved once it stops changing', async () => {
  const { saves, pass, change, path } = await follow('as it was');
  for (let part = 0; part < 20; part += 1) {
    await change(appendFile(path, ', and on'));
    await pass(1_000);
  }
  expect(saves).toEqual([]);
  await pass(5_000);
  expect(saves).toEqual([`as it was${', and on'.repeat(20)}`]);
});

test('an emptied file counts as saved only after a longer time', async () => {
  const { saves, pass, change, path } = await follow('as it was');
  await change(writeFile(path, ''));
  await pass(7_000);
  await change(writeFile(path, 'written slowly'));
  await pass(5_000);
  expect(saves).toEqual(['written slowly']);
  await change(writeFile(path, ''));
  await pass(15_000);
  expect(saves).toEqual(['written slowly', '']);
});

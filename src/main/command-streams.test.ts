import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTestLog, makeTestFolder } from '../../test-support/main/test-ports.ts';
import type { TransferRecord } from './transfers/model/record.ts';
import { createStreams } from './command-streams.ts';

test("deletes a command's files when its transfer ends, and keeps files of unknown transfers", async () => {
  const folder = await makeTestFolder();
  const states: Record<string, string> = {
    done: 'done',
    cancelled: 'cancelled',
    failed: 'failed',
    moving: 'sending',
  };
  const dead = 2 ** 30;
  const nameOf = (what: string) => `${what === 'running' ? process.pid : dead}-${what}`;
  for (const what of [...Object.keys(states), 'unknown', 'running']) {
    await mkdir(join(folder, nameOf(what)));
    await writeFile(join(folder, nameOf(what), 'a.txt'), what);
  }
  const ofPath = async (path: string) => {
    const what = Object.keys(states).find((name) => path === join(folder, nameOf(name), 'a.txt'));
    return what === undefined ? null : ({ state: { name: states[what] } } as TransferRecord);
  };
  const log = createTestLog();
  const streams = createStreams(folder, ofPath, log);
  await streams.tidy();
  const names = await readdir(folder);
  expect(names.toSorted()).toEqual(['failed', 'moving', 'running', 'unknown'].map(nameOf).toSorted());
  expect(await streams.own.unknownOf(names)).toEqual([nameOf('unknown')]);
  expect(log.lines).toEqual([]);
  await createStreams(join(folder, 'not there'), ofPath, log).tidy();
});

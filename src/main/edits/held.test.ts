import { readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  startEditBench,
  textOf,
  until,
  type EditBench,
} from '../../../test-support/main/edits/edit-bench.ts';

/** Edits of a command, which opens the copy itself. */

let bench: EditBench;
beforeEach(async () => {
  bench = await startEditBench();
  await bench.bench.store('minutes.txt', 'as it was');
});
afterEach(() => bench.close());

const posts = () => bench.bench.server.requests.filter(({ method }) => method === 'POST').length;

async function beginHeld() {
  const row = await bench.bench.rowOf('minutes.txt');
  const { handlers } = bench.edits;
  const { id } = await handlers['edits.begin']({ objectId: row?.id ?? 0, isHeld: true });
  await until(async () => (await bench.one())?.state).toBe('editing');
  const { path } = await handlers['edits.copyOf']({ id });
  expect(await textOf(path)).toBe('as it was');
  return { id, copy: path };
}

test('opens and sends nothing before the edit is finished, and then the last bytes alone', async () => {
  const { id, copy } = await beginHeld();
  for (const text of ['first', 'second']) {
    await writeFile(copy, text);
    await bench.bench.clock.delay(60_000);
  }
  expect([bench.opened, posts()]).toEqual([[], 0]);
  await bench.edits.handlers['edits.finish']({ id });
  await until(() => bench.list()).toEqual([]);
  expect(bench.texts().toSorted()).toEqual(['as it was', 'second']);
  await until(() => bench.files()).toEqual([]);
});

test('a copy that is left is sent by nothing, not even after a restart', async () => {
  const { id, copy } = await beginHeld();
  await writeFile(copy, 'mine');
  expect(await bench.edits.handlers['edits.leave']({ id })).toEqual({
    folder: join(bench.userData, 'edits', id),
    fileName: 'minutes.txt',
    isChanged: true,
  });
  expect(await bench.list()).toEqual([]);
  await bench.restart();
  await bench.bench.clock.delay(60_000);
  expect(posts()).toBe(0);
  expect(await textOf(copy)).toBe('mine');
});

test('leaving an unchanged copy removes it, unless other files are beside it', async () => {
  const first = await beginHeld();
  expect(await bench.edits.handlers['edits.leave']({ id: first.id })).toMatchObject({ folder: null });
  expect(await bench.files()).toEqual([]);
  const { id, copy } = await beginHeld();
  await writeFile(`${copy}~`, 'beside');
  expect(await bench.edits.handlers['edits.leave']({ id })).toMatchObject({
    folder: expect.stringContaining(id),
    isChanged: false,
  });
});

test('leaves the last save if the program has removed the copy', async () => {
  const { id, copy } = await bench.begin('minutes.txt');
  bench.bench.server.objects.clear();
  await writeFile(copy, 'mine');
  await until(async () => (await bench.one())?.state).toBe('deleted');
  await unlink(copy);
  expect(await bench.edits.handlers['edits.leave']({ id })).toMatchObject({ isChanged: true });
  expect(await readFile(copy, 'utf8')).toBe('mine');
  expect(await bench.list()).toEqual([]);
});

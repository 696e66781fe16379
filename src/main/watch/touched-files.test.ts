import { createHash } from 'node:crypto';
import { chmod, cp, rename, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { beginWatchWorld } from '../../../test-support/main/watch/watch-world.ts';
import * as source from '../local-files/source.ts';

async function begin() {
  const watch = await beginWatchWorld();
  onTestFinished(() => watch.leave());
  onTestFinished(() => void vi.restoreAllMocks());
  const { folder, world, stored } = watch;

  /** Puts another file of the same length and time in a file's place. */
  async function replace(path: string, text: string): Promise<void> {
    const other = join(world.folder, 'other file');
    const { size, atimeMs, mtimeMs } = await stat(join(folder, path));
    expect(Buffer.byteLength(text)).toBe(size);
    await writeFile(other, text);
    await utimes(other, atimeMs / 1000, mtimeMs / 1000);
    await rename(other, join(folder, path));
    expect((await stat(join(folder, path))).mtimeMs).toBe(mtimeMs);
  }

  return {
    ...watch,
    replace,
    wait: (seconds: number) => world.clock.advance(seconds * 1000),
    texts: () => Object.values(stored()).toSorted(),
    /** Paths of files that were read to be compared. */
    compared: vi.spyOn(source, 'digestOf'),
  };
}

test('sends a file that was replaced by another of the same length and time', async () => {
  const { add, write, replace, wait, texts, list } = await begin();
  await add();
  await write('a.txt', 'one');
  await wait(20);
  await replace('a.txt', 'two');
  await wait(30);
  expect(texts()).toEqual(['one', 'two']);
  await replace('a.txt', 'six');
  await wait(30);
  expect(texts()).toEqual(['one', 'six', 'two']);
  expect(await list()).toMatchObject([{ settling: 0, uploads: 3 }]);
});

test('sends a file that was replaced while Coffer did not run at its next start', async () => {
  const { add, write, replace, wait, texts, world } = await begin();
  await add();
  await write('a.txt', 'one');
  await wait(20);
  await replace('a.txt', 'two');
  await world.kill(3_600_000);
  await wait(30);
  expect(texts()).toEqual(['one', 'two']);
});

test('reads a file that only got other permissions once, also over a restart, without sending', async () => {
  const { add, write, wait, texts, folder, world, compared, list } = await begin();
  await add();
  await write('a.txt', 'one');
  await write('b.txt', 'two');
  await wait(20);
  const before = world.service.requests.length;
  await chmod(join(folder, 'a.txt'), 0o440);
  await wait(60);
  await world.kill(0);
  await wait(60);
  expect(compared.mock.calls.map(([, fileName]) => fileName)).toEqual(['a.txt']);
  expect(world.service.requests).toHaveLength(before);
  expect(texts()).toEqual(['one', 'two']);
  expect(await list()).toMatchObject([{ settling: 0, uploads: 2 }]);
});

test('reads a copy of the folder, and sends nothing of it again', async () => {
  const { add, write, wait, texts, folder, world, compared, call, grant } = await begin();
  const id = await add();
  await write('a.txt', 'one');
  await write('sub/b.txt', 'two');
  await wait(20);
  const before = world.service.requests.length;
  const copy = join(world.folder, 'copy');
  await cp(folder, copy, { recursive: true, preserveTimestamps: true });
  for (const path of ['a.txt', 'sub/b.txt']) {
    const { atime, mtime } = await stat(join(folder, path));
    await utimes(join(copy, path), atime, mtime);
  }
  await call((handlers) => handlers['watch.locate']({ id, grant: grant(copy) }));
  await wait(60);
  expect(compared.mock.calls.map(([, fileName]) => fileName).toSorted()).toEqual(['a.txt', 'b.txt']);
  expect(world.service.requests).toHaveLength(before);
  expect(texts()).toEqual(['one', 'two']);
});

test('sends a file that is replaced while its upload waits once', async () => {
  const { add, write, replace, wait, texts, world, compared } = await begin();
  await add();
  await world.settle(world.engine.actions.pause('all', true));
  await write('a.txt', 'one');
  await wait(20);
  await replace('a.txt', 'two');
  await wait(60);
  expect(compared).not.toHaveBeenCalled();
  await world.settle(world.engine.actions.pause('all', false));
  await wait(60);
  expect(texts()).toEqual(['two']);
  expect(compared).toHaveBeenCalledOnce();
});

test('compares with what was sent, although the object was replaced since', async () => {
  const { add, write, wait, folder, world, texts } = await begin();
  await add();
  await write('a.txt', 'one');
  await wait(20);
  await world.settle(world.engine.actions.clear('transfers', 'done'));
  await world.upload('a.txt', { text: 'mine', ifExists: 'replace' });
  await wait(300);
  expect(texts()).toEqual(['mine']);
  await chmod(join(folder, 'a.txt'), 0o440);
  await wait(60);
  expect(texts()).toEqual(['mine']);
});

test('compares a file whose bytes were stored already, and not sent, as well', async () => {
  const { add, write, replace, wait, texts, world } = await begin();
  await world.upload('a.txt', { text: 'one' });
  await wait(20);
  await add();
  await write('a.txt', 'one');
  await wait(20);
  expect(texts()).toEqual(['one']);
  await replace('a.txt', 'two');
  await wait(30);
  expect(texts()).toEqual(['one', 'two']);
});

test('a file that was there before its folder was watched stays at length and time', async () => {
  const { add, write, replace, wait, texts, compared } = await begin();
  await write('a.txt', 'one');
  await add({}, false);
  await replace('a.txt', 'two');
  await wait(60);
  expect(texts()).toEqual([]);
  expect(compared).not.toHaveBeenCalled();
});

test('reads a file that takes long once', async () => {
  const { add, write, wait, texts, folder, compared } = await begin();
  await add();
  await write('a.txt', 'one');
  await wait(20);
  const reading = Promise.withResolvers<string>();
  compared.mockReturnValue(reading.promise);
  await chmod(join(folder, 'a.txt'), 0o440);
  await wait(60);
  reading.resolve(createHash('sha256').update('one').digest('hex'));
  await wait(60);
  expect(compared).toHaveBeenCalledOnce();
  expect(texts()).toEqual(['one']);
});

test('sends files while it still reads a touched one, and switching off does not wait for it', async () => {
  const { add, write, wait, texts, folder, compared, call, list } = await begin();
  const id = await add();
  await write('a.txt', 'one');
  await wait(20);
  compared.mockReturnValue(new Promise(() => undefined));
  await chmod(join(folder, 'a.txt'), 0o440);
  await wait(20);
  expect(compared).toHaveBeenCalledOnce();
  await write('b.txt', 'two');
  await wait(20);
  expect(texts()).toEqual(['one', 'two']);
  expect(compared).toHaveBeenCalledOnce();
  await call((handlers) => handlers['watch.setOn']({ id, isOn: false }));
  expect(await list()).toMatchObject([{ state: 'off' }]);
});

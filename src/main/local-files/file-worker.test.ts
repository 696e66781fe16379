import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { startFileWorker } from './file-worker.ts';
import type { ReadAnswer, ReadOrder } from './read-worker.ts';

function startReader() {
  const reader = startFileWorker<ReadOrder, ReadAnswer>('read', 4);
  onTestFinished(() => reader.end());
  const read = (id: number, path: string) => reader.ask({ id, kind: 'read', path, memory: null });
  return { reader, read };
}

test('the orders of one turn go in one message, and their answers come in one', async () => {
  const folder = await makeTestFolder();
  const ids = [1, 2, 3];
  for (const id of ids) await writeFile(join(folder, `${id}`), `file ${id}`);
  const { read } = startReader();
  await read(0, folder).catch(() => undefined);
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  const told = vi.spyOn(Worker.prototype, 'emit');
  const reading: Promise<ReadAnswer>[] = [];
  // Callbacks of one turn, with microtasks after each.
  for (const id of ids) setImmediate(() => void reading.push(read(id, join(folder, `${id}`))));
  await nextTurn();
  const answers = await Promise.all(reading);
  const texts = answers.map((answer) => 'file' in answer && Buffer.from(answer.file.whole?.bytes ?? []));
  expect(texts.map(String)).toEqual(['file 1', 'file 2', 'file 3']);
  expect(posted).toHaveBeenCalledTimes(1);
  expect(told.mock.calls.filter(([event]) => event === 'message')).toHaveLength(1);
});

test('ending a thread fails what was not sent yet', async () => {
  const { reader, read } = startReader();
  const failed = read(1, '/unsent').catch((cause: unknown) => cause);
  await reader.end();
  expect(await failed).toMatchObject({ message: 'The read thread was ended' });
});

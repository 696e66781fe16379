import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { onThreadFailure, startThread } from '../lib/start-thread.ts';
import { openCrashNotes } from './crash-notes.ts';

function createComputer(folder: string) {
  let nowMs = 1_000_000;
  let bootedAtMs = 0;
  return {
    start: () =>
      openCrashNotes(folder, { version: '1.0.0', nowMs: () => nowMs, uptimeMs: () => nowMs - bootedAtMs }),
    wait: () => (nowMs += 600_000),
    reboot: () => (bootedAtMs = nowMs += 600_000),
  };
}

test('a crash leaves a note that each next start has until it is dismissed', async () => {
  const folder = await makeTestFolder();
  const computer = createComputer(folder);
  const first = computer.start();
  expect(first.earlier()).toBeNull();
  first.note('app', new TypeError('/home/max/secret plans'));
  first.end();
  expect(readFileSync(join(folder, 'crash.json'), 'utf8')).toMatch(/"name": "TypeError"/);
  expect(readFileSync(join(folder, 'crash.json'), 'utf8')).not.toContain('max');

  const second = computer.start();
  expect(second.earlier()).toMatchObject({ what: 'app', atMs: 1_000_000, error: { name: 'TypeError' } });
  second.end();
  const third = computer.start();
  expect(third.earlier()).toMatchObject({ what: 'app' });
  third.dismiss();
  expect(third.earlier()).toBeNull();
  third.end();
  expect(computer.start().earlier()).toBeNull();
});

test('dismissing the note of an earlier run keeps that of this run', async () => {
  const computer = createComputer(await makeTestFolder());
  const first = computer.start();
  first.note('app', new Error('one'));
  first.end();
  const second = computer.start();
  second.note('thread', new Error('two'), 'database-worker.js');
  second.dismiss();
  second.end();
  expect(computer.start().earlier()).toMatchObject({ what: 'thread', thread: 'database-worker.js' });
});

test('a run that did not end was killed or crashed, unless the computer was restarted', async () => {
  const computer = createComputer(await makeTestFolder());
  computer.start();
  computer.wait();
  const second = computer.start();
  expect(second.earlier()).toMatchObject({ what: 'killed', error: null });
  second.dismiss();
  computer.reboot();
  const third = computer.start();
  expect(third.earlier()).toBeNull();
  third.end();
  expect(computer.start().earlier()).toBeNull();
});

test('takes a note that cannot be read, and a folder that cannot be written, for no failure', async () => {
  const folder = await makeTestFolder();
  writeFileSync(join(folder, 'crash.json'), '{"what":"app"');
  writeFileSync(join(folder, 'running.json'), 'nonsense');
  expect(createComputer(folder).start().earlier()).toBeNull();
  const nowhere = createComputer(join(folder, 'crash.json')).start();
  nowhere.note('app', new Error('x'));
  nowhere.end();
  expect(nowhere.earlier()).toBeNull();
  expect(readdirSync(folder).toSorted()).toEqual(['crash.json', 'running.json']);
});

test('tells whoever leaves notes, and its owner, of an uncaught error in a thread', async () => {
  onTestFinished(() => onThreadFailure(() => undefined));
  const told = vi.fn<(thread: string, cause: unknown) => void>();
  onThreadFailure(told);
  const worker = startThread(new URL(`data:text/javascript,throw new RangeError('broken')`));
  const own = await new Promise((resolve) => worker.once('error', resolve));
  expect(told).toHaveBeenCalledExactlyOnceWith(expect.any(String), own);
});

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { WatchChoices } from '../../shared/domain/watch.ts';
import { serviceId } from '../../../test-support/main/transfers/world-acts.ts';
import { beginWatchWorld } from '../../../test-support/main/watch/watch-world.ts';

async function begin() {
  const watch = await beginWatchWorld();
  onTestFinished(() => watch.leave());
  return { ...watch, wait: (seconds: number) => watch.world.clock.advance(seconds * 1000) };
}

async function beginReplacing(choices: Partial<WatchChoices> = {}) {
  const watch = await begin();
  const { service, database } = watch.world;
  service.put('a.txt', Buffer.from('old'), 'stranger', 'Confidential');
  const patch = { state: 'stored', lengthBytes: 3, classification: 'Confidential' } as const;
  await database.catalogue.add(serviceId, [{ kind: 'data', identifier: 'a.txt', patch }]);
  await watch.add({ ifExists: 'replace', ...choices });
  return watch;
}

test('replaced objects keep their classification, and new ones get the chosen one', async () => {
  const { write, wait, stored, world } = await beginReplacing({ classification: 'Public' });
  await write('a.txt', 'one');
  await write('b.txt', 'two');
  await wait(300);
  expect(stored()).toEqual({ 'a.txt': 'one', 'b.txt': 'two' });
  expect(world.service.classificationOf('a.txt')).toBe('Confidential');
  expect(world.service.classificationOf('b.txt')).toBe('Public');
});

test('a newer state waits until a Replace that failed half-way is finished', async () => {
  const { write, wait, stored, world } = await beginReplacing();
  const { service } = world;
  service.refuses = ({ what, identifier }) =>
    what === 'POST' && identifier === 'a.txt' ? { code: 'forbidden', status: 403 } : null;
  await write('a.txt', 'one');
  await wait(60);
  expect(Object.values(stored())).toEqual(['one']);
  await write('a.txt', 'two');
  await wait(60);
  expect(await world.transfers()).toMatchObject([{ state: 'failed', replacing: { isOut: true } }]);
  service.refuses = () => null;
  await wait(900);
  expect(stored()).toEqual({ 'a.txt': 'two' });
  expect(service.classificationOf('a.txt')).toBe('Confidential');
});

test('a newer state waits while an unfinished Replace asks about an object that somebody else stored', async () => {
  const { write, wait, stored, world } = await beginReplacing();
  const { service, engine } = world;
  service.beforeRequest = (what, identifier) => {
    if (what !== 'POST' || identifier !== 'a.txt') return;
    service.beforeRequest = () => undefined;
    service.put('a.txt', Buffer.from('theirs'), 'stranger');
  };
  await write('a.txt', 'one');
  await wait(60);
  await write('a.txt', 'two');
  await wait(60);
  const [transfer] = await world.transfers();
  expect(transfer).toMatchObject({ waitingFor: 'answer', replacing: { isOut: true } });
  const answer = { transferId: transfer?.id ?? 0, answer: 'replace', applyToAll: false } as const;
  await world.settle(engine.actions.answer(answer));
  await wait(300);
  expect(stored()).toEqual({ 'a.txt': 'two' });
  expect(service.classificationOf('a.txt')).toBe('Confidential');
});

/** Makes an upload fail because its file is missing. @returns a function that restores the file */
async function failGone({ add, write, wait, world, folder }: Awaited<ReturnType<typeof begin>>) {
  const { actions } = world.engine;
  await add();
  await world.settle(actions.pause('all', true));
  await write('sub/a.txt', 'A');
  await wait(20);
  const [here, away] = [join(folder, 'sub'), join(world.folder, 'sub')];
  await rename(here, away);
  await world.settle(actions.pause('all', false));
  await wait(20);
  expect(await world.transfers()).toMatchObject([{ state: 'failed', error: { code: 'fileGone' } }]);
  return () => rename(away, here);
}

test('restarts an upload whose file was missing for a moment', async () => {
  const watch = await begin();
  const comeBack = await failGone(watch);
  await comeBack();
  await watch.wait(90);
  expect(watch.stored()).toEqual({ 'sub/a.txt': 'A' });
  expect(await watch.world.transfers()).toMatchObject([{ state: 'done' }]);
});

test('does not restart an upload that the person has cleared', async () => {
  const watch = await begin();
  const { world } = watch;
  const comeBack = await failGone(watch);
  await world.settle(world.engine.actions.clear('transfers', 'needsYou'));
  await comeBack();
  await watch.wait(300);
  expect(watch.stored()).toEqual({});
});

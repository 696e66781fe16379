import { expect, onTestFinished, test } from 'vitest';
import type { WatchChoices } from '../../shared/domain/watch.ts';
import { serviceId } from '../../../test-support/main/transfers/world.ts';
import { beginWatchWorld } from '../../../test-support/main/watch/watch-world.ts';

async function begin() {
  const watch = await beginWatchWorld();
  onTestFinished(() => watch.leave());
  return { ...watch, wait: (seconds: number) => watch.world.clock.advance(seconds * 1000) };
}

/** A watched folder that replaces, and an object whose classification the list knows. */
async function beginReplacing(choices: Partial<WatchChoices> = {}) {
  const watch = await begin();
  const { service, database } = watch.world;
  service.put('a.txt', Buffer.from('old'), 'stranger', 'Confidential');
  const patch = { state: 'stored', lengthBytes: 3, classification: 'Confidential' } as const;
  await database.catalogue.add(serviceId, [{ kind: 'data', identifier: 'a.txt', patch }]);
  await watch.add({ ifExists: 'replace', ...choices });
  return watch;
}

test('what is replaced keeps its classification, and new objects get the chosen one', async () => {
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

test('a newer state waits while a Replace half-way asks about what somebody else has stored', async () => {
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

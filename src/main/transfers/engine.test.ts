import { expect, test } from 'vitest';
import { World } from '../../../test-support/main/transfers/world.ts';

test('uploads a file and marks its row as stored', async () => {
  const world = await World.begin();
  await world.upload('a/report.pdf');
  await world.end();
  expect(await world.rowOf('a/report.pdf')).toMatchObject({ state: 'stored', lengthBytes: 24 });
  expect((await world.transfers())[0]).toMatchObject({ state: 'done', outcome: { kind: 'stored' } });
  expect(world.service.requests.map(({ what }) => what)).toEqual(['POST', 'HEAD']);
  await world.leave();
});

test('downloads a complete object', async () => {
  const world = await World.begin();
  world.service.put('a/data.json', Buffer.from('content'), 'stranger');
  await world.download('a/data.json');
  await world.end();
  expect((await world.transfers())[0]).toMatchObject({
    state: 'done',
    outcome: { kind: 'saved', fileName: 'data.json' },
  });
  await world.leave();
});

test('runs deferred uploads and downloads, secrets and a deletion', async () => {
  const world = await World.begin();
  world.service.put('d/1', Buffer.from('deferred content'), 'stranger');
  world.service.put('x/1', Buffer.from('to go'), 'stranger');
  await world.upload('u/1', { route: 'deferred' });
  await world.download('d/1', 'deferred');
  await world.storeSecret();
  await world.readSecret();
  await world.know('x/1');
  await world.delete('x/1');
  await world.end();
  expect((await world.jobs()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  expect(await world.rowOf('x/1')).toMatchObject({ state: 'gone' });
  await world.leave();
});

test('resumes everything after a kill', async () => {
  const world = await World.begin();
  for (let number = 0; number < 30; number += 1) await world.upload(`k/${number}`);
  world.service.answerMs = 50;
  await world.clock.advance(120);
  await world.kill(1000);
  await world.clock.advance(70);
  await world.kill(1000);
  await world.end();
  expect((await world.transfers()).filter(({ state }) => state === 'done')).toHaveLength(30);
  await world.leave();
});

test('returns picked transfers in queue order, without missing ones', async () => {
  const world = await World.begin();
  const { actions } = world.engine;
  await world.settle(actions.pause('all', true));
  for (const name of ['a', 'b', 'c', 'd']) await world.upload(name);
  await world.upload('later', { route: 'deferred' });
  const rows = (await world.transfers()).toSorted((x, y) => x.id - y.id);
  const ids = rows.map(({ id }) => id);
  await world.settle(actions.setPriority({ ids: ids.slice(1, 2), priority: 'whenIdle' }));
  await world.settle(actions.reorder({ ids: ids.slice(3), before: 'top' }));
  const picked = await world.engine.picked([...ids, 9999]);
  expect(picked.map(({ identifier, priority }) => [identifier, priority])).toEqual([
    ['d', 'normal'],
    ['a', 'normal'],
    ['c', 'normal'],
    ['b', 'whenIdle'],
  ]);
  expect(picked[0]).toMatchObject({ state: 'waiting', waitingFor: 'paused' });
  const [job] = await world.jobs();
  expect(await world.engine.picked([job?.id ?? 0])).toMatchObject([{ kind: 'data', state: 'waiting' }]);
  await world.settle(actions.pause('all', false));
  await world.end();
  await world.leave();
});

import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { createPacer } from './pacing.ts';
import { createQueue } from './queue.ts';
import { quickClock, until } from './testing.ts';

function setUp(atOnce = 2) {
  const clock = quickClock(100);
  const pacer = createPacer(clock);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const nameOf = ({ transfer }: Entry) => `${transfer.profileId}${transfer.id}`;
  const queue = createQueue({
    clock,
    pacer,
    atOnce: () => atOnce,
    start(entry) {
      started.push(nameOf(entry));
      return new Promise((resolve) => ends.set(nameOf(entry), resolve));
    },
  });
  const entryOf = (name: string) =>
    ({ transfer: { profileId: name.slice(0, 1), id: Number(name.slice(1)) } }) as Entry;
  const push = (...names: string[]) => {
    for (const name of names) queue.push(entryOf(name));
    queue.pump();
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { queue, pacer, started, push, end, entryOf };
}

test('a few at a time, and each profile in its turn', async () => {
  const { started, push, end } = setUp();
  push('a1', 'a2', 'a3', 'a4', 'b5', 'c6');
  expect(started).toEqual(['a1', 'b5']);
  await end('a1');
  await end('b5');
  expect(started).toEqual(['a1', 'b5', 'c6', 'a2']);
  await end('c6');
  await end('a2');
  expect(started).toEqual(['a1', 'b5', 'c6', 'a2', 'a3', 'a4']);
});

test('a profile that is refused or held back stands in nobody’s way', async () => {
  const { queue, pacer, started, push } = setUp(4);
  queue.refuse('a');
  pacer.holdBack('b', 2000);
  push('a1', 'b2', 'c3');
  expect(started).toEqual(['c3']);
  expect(queue.refused()).toEqual(['a']);
  await until(() => started).toEqual(['c3', 'b2']);
  queue.allow('a');
  queue.pump();
  expect(started).toEqual(['c3', 'b2', 'a1']);
});

test('sleepers come back, in time, unless they are taken out or woken', async () => {
  const { queue, started, push, entryOf } = setUp(9);
  queue.sleep(entryOf('a1'), 3000);
  queue.sleep(entryOf('a2'), 1000);
  queue.sleep(entryOf('a3'), 2000);
  queue.sleep(entryOf('a4'), 1_000_000);
  queue.drop(entryOf('a3'));
  push('a4');
  expect(started).toEqual(['a4']);
  await until(() => started).toEqual(['a4', 'a2', 'a1']);
  queue.close();
});

test('after the end nothing starts', () => {
  const { queue, started, push } = setUp();
  queue.close();
  push('a1');
  expect(started).toEqual([]);
});

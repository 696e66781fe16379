import { beforeEach, expect, test } from 'vitest';
import {
  askMs,
  idleMs,
  longestMs,
  refuseAllMs,
  type ApprovalAnswer,
  type Ask,
} from '../../shared/domain/approval.ts';
import { createTestPublisher } from '../../../test-support/main/test-ports.ts';
import { createApprovals, type Approvals, type Request } from './approvals.ts';
import type { Caller } from './caller.ts';

/** Advances only when told to; while the computer sleeps, only its wall clock does. */
let wallMs: number;
let monotonicMs: number;
let timers: { dueMs: number; ring: () => void }[];
let asked: Ask[];
let approvals: Approvals;
let gone: Set<Caller>;

async function pass(ms: number): Promise<void> {
  for (const endMs = monotonicMs + ms; monotonicMs < endMs;) {
    const stepMs = Math.min(1000, endMs - monotonicMs);
    wallMs += stepMs;
    monotonicMs += stepMs;
    const due = timers.filter(({ dueMs }) => dueMs <= monotonicMs);
    timers = timers.filter(({ dueMs }) => dueMs > monotonicMs);
    for (const { ring } of due) ring();
    if (due.length > 0) await finish();
  }
}
const finish = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  wallMs = 1_700_000_000_000;
  monotonicMs = 0;
  timers = [];
  asked = [];
  gone = new Set();
  approvals = createApprovals({
    clock: {
      nowMs: () => wallMs,
      monotonicMs: () => monotonicMs,
      delay: (delayMs) => new Promise((ring) => timers.push({ dueMs: monotonicMs + delayMs, ring })),
    },
    publisher: createTestPublisher(),
    home: '/home/ada',
    onAsked: (ask) => asked.push(ask),
  });
});

function caller(key: string, isLasting = true): Caller {
  const one: Caller = {
    words: ['coffer', 'run', '--', './deploy.sh'],
    program: ['./deploy.sh'],
    folder: '/home/ada/work',
    holder: { key, isLasting, terminal: { name: key, shownBy: null, openSinceMs: null }, startedBy: null },
    isProven: true,
    isThere: () => !gone.has(one),
  };
  return one;
}

const one = caller('pts/1');
const other = caller('pts/2');

/** @returns `given`, or the reason of the refusal */
function want(who: Caller, identifiers: string[], withdrawn = new AbortController().signal): Promise<string> {
  const secrets = identifiers.map((identifier) => ({
    name: identifier,
    identifier,
    objectId: null,
    classification: null,
  }));
  const request: Request = { caller: who, serviceId: 'p1', secrets, isCopy: false };
  return approvals.require(request, withdrawn).then(
    () => 'given',
    (cause: { error: { reason: string } }) => cause.error.reason,
  );
}
const list = async () => approvals.handlers['approvals.list'](undefined);
async function answer(which: ApprovalAnswer): Promise<void> {
  const [first] = (await list()).asks;
  if (first) await approvals.handlers['approvals.answer']({ id: first.id, answer: which });
}

test('a request shows the program, the folder and the secrets', async () => {
  const given = want(one, ['a', 'b']);
  expect(asked[0]).toMatchObject({
    program: ['./deploy.sh'],
    folder: '~/work',
    command: ['coffer', 'run', '--', './deploy.sh'],
    secrets: [{ identifier: 'a' }, { identifier: 'b' }],
    refusedAtMs: wallMs + askMs,
  });
  await answer('refuse');
  expect(await given).toBe('refused');
});

test('a terminal that was allowed gets the same again, and others ask', async () => {
  const given = want(one, ['a', 'b']);
  await answer('holder');
  expect(await given).toBe('given');
  expect(await want(one, ['b'])).toBe('given');
  const more = want(one, ['b', 'c']);
  const stranger = want(other, ['a']);
  expect((await list()).asks).toHaveLength(2);
  await answer('holder');
  await answer('refuse');
  expect([await more, await stranger]).toEqual(['given', 'refused']);
  expect((await list()).approvals).toMatchObject([{ identifiers: ['a', 'b', 'c'] }]);
});

test('once is once', async () => {
  const given = want(one, ['a']);
  await answer('once');
  expect(await given).toBe('given');
  const again = want(one, ['a']);
  await answer('refuse');
  expect(await again).toBe('refused');
});

test('grants no lasting approval to a holder without a stable identity', async () => {
  const given = want(caller('x', false), ['a']);
  await answer('holder');
  expect(await given).toBe('given');
  expect((await list()).approvals).toEqual([]);
});

test('one answer is for all that the same terminal asks meanwhile', async () => {
  const both = [want(one, ['a', 'b']), want(one, ['a'])];
  await answer('holder');
  expect(await Promise.all(both)).toEqual(['given', 'given']);
});

test('refuses after a minute without an answer, and ignores later answers', async () => {
  const given = want(one, ['a']);
  await pass(askMs - 1000);
  expect((await list()).asks).toHaveLength(1);
  const id = asked[0]?.id ?? '';
  await pass(1000);
  expect(await given).toBe('unanswered');
  await approvals.handlers['approvals.answer']({ id, answer: 'holder' });
  expect(await list()).toEqual({ asks: [], approvals: [] });
});

test('withdraws the question when the command has ended or stopped waiting', async () => {
  const withdrawn = new AbortController();
  const given = [want(one, ['a']), want(other, ['a'], withdrawn.signal)];
  gone.add(one);
  await pass(1000);
  expect((await list()).asks).toHaveLength(1);
  withdrawn.abort();
  expect(await Promise.all(given)).toEqual(['refused', 'refused']);
  expect((await list()).asks).toEqual([]);
});

test('ends after ten minutes without use, and each use counts', async () => {
  const given = want(one, ['a']);
  await answer('holder');
  await given;
  for (let uses = 0; uses < 3; uses += 1) {
    await pass(idleMs - 1000);
    expect(await want(one, ['a'])).toBe('given');
  }
  await pass(idleMs);
  expect((await list()).approvals).toEqual([]);
  const again = want(one, ['a']);
  await answer('refuse');
  expect(await again).toBe('refused');
});

test('expires after twelve hours, regardless of uses and additions', async () => {
  const given = want(one, ['a']);
  await answer('holder');
  await given;
  const everyMs = idleMs / 2;
  for (let ms = everyMs; ms < longestMs; ms += everyMs) {
    await pass(everyMs);
    expect(await want(one, ['a'])).toBe('given');
  }
  const more = want(one, ['b']);
  await answer('holder');
  await more;
  await pass(everyMs);
  expect((await list()).approvals).toEqual([]);
});

test('time that the computer sleeps counts, and a clock that is set back does not help', async () => {
  const given = want(one, ['a']);
  await answer('holder');
  await given;
  wallMs += idleMs;
  expect((await list()).approvals).toEqual([]);
  const again = want(one, ['a']);
  await answer('holder');
  await again;
  wallMs -= 3_600_000;
  monotonicMs += idleMs;
  expect((await list()).approvals).toEqual([]);
});

test('a lock of the screen ends what holds and refuses what asks', async () => {
  const given = want(one, ['a']);
  await answer('holder');
  await given;
  const asking = want(other, ['a']);
  expect(approvals.holdsAny()).toBe(true);
  approvals.lock();
  expect(await asking).toBe('locked');
  expect([await list(), approvals.holdsAny()]).toEqual([{ asks: [], approvals: [] }, false]);
});

test('a person ends one, or all, and a service that is removed ends its own', async () => {
  for (const who of [one, other]) {
    const given = want(who, ['a']);
    await answer('holder');
    await given;
  }
  const { approvals: held } = await list();
  expect(held.map(({ terminal }) => terminal?.name)).toEqual(['pts/2', 'pts/1']);
  await approvals.handlers['approvals.end']({ which: held[0]?.id ?? '' });
  expect((await list()).approvals).toMatchObject([{ terminal: { name: 'pts/1' } }]);
  approvals.removeService('another');
  expect((await list()).approvals).toHaveLength(1);
  approvals.removeService('p1');
  expect((await list()).approvals).toEqual([]);
});

/** Requests in the person's view, and how many were refused at once as too many. */
async function flood(asking: readonly Promise<string>[]): Promise<{ asks: Ask[]; tooMany: number }> {
  let tooMany = 0;
  for (const each of asking) void each.then((end) => (tooMany += end === 'tooMany' ? 1 : 0));
  await finish();
  return { asks: (await list()).asks, tooMany };
}
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

test('of 300 requests of one program three wait, and others ask beside them', async () => {
  const asking = times(300, (at) => want(one, [`a${String(at)}`]));
  expect(await flood(asking)).toMatchObject({
    asks: [{ secrets: [{ identifier: 'a0' }] }, { secrets: [{ identifier: 'a1' }] }, {}],
    tooMany: 297,
  });
  expect(asked).toHaveLength(3);
  const stranger = want(other, ['a']);
  expect((await list()).asks).toHaveLength(4);
  await answer('once');
  // Its place is free again.
  void want(one, ['b']);
  expect((await list()).asks).toHaveLength(4);
  await approvals.handlers['approvals.answer']({ id: asked[3]?.id ?? '', answer: 'once' });
  expect(await stranger).toBe('given');
});

test('what a command only claims, or nobody started, does not make it another program', async () => {
  const claimed = times(50, (at) => want({ ...caller(`believed ${String(at)}`), isProven: false }, ['a']));
  const orphans = times(50, (at) => want(caller(`command ${String(at)}`, false), ['a']));
  const { asks, tooMany } = await flood([...claimed, ...orphans]);
  expect([asks.length, tooMany]).toEqual([3, 97]);
});

test('Refuse all of these refuses what the program asks for, for a minute, and nobody else', async () => {
  const asking = times(3, (at) => want(one, [`a${String(at)}`]));
  const stranger = want(other, ['a']);
  await answer('refuseAll');
  expect(await Promise.all(asking)).toEqual(['refused', 'refused', 'refused']);
  expect((await list()).asks).toMatchObject([{ program: ['./deploy.sh'], terminal: { name: 'pts/2' } }]);
  expect(await want(one, ['a0'])).toBe('allRefused');
  await answer('once');
  expect(await stranger).toBe('given');
  await pass(refuseAllMs - 1000);
  expect(await want(one, ['a0'])).toBe('allRefused');
  await pass(1000);
  void want(one, ['a0']);
  expect((await list()).asks).toMatchObject([{ isAgain: false }]);
});

test('shows a program that asks again after two refusals as one that does', async () => {
  for (const isAgain of [false, false, true]) {
    const given = want(one, ['a']);
    expect((await list()).asks).toMatchObject([{ isAgain }]);
    await answer('refuse');
    expect(await given).toBe('refused');
  }
  await pass(refuseAllMs);
  void want(one, ['a']);
  expect((await list()).asks).toMatchObject([{ isAgain: false }]);
});

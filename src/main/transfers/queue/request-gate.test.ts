import { beforeEach, expect, test } from 'vitest';
import {
  createVirtualClock,
  type VirtualClock,
} from '../../../../test-support/main/transfers/virtual-clock.ts';
import { AdaptiveLimit, type Permit } from './limits/adaptive-limit.ts';
import { RequestGate, type Priority } from './request-gate.ts';

const open = new AbortController().signal;
const large = 5_000_000;

let clock: VirtualClock;
let limit: AdaptiveLimit;
let gate: RequestGate;
let most: number;
let rooms: number;
let sent: string[];
let lastId: number;

beforeEach(() => {
  clock = createVirtualClock();
  [most, rooms, sent, lastId] = [Infinity, 0, [], 0];
  limit = new AdaptiveLimit(() => clock.monotonicMs());
  gate = new RequestGate(
    limit,
    clock,
    () => most,
    () => (rooms += 1),
  );
});

/** Resolves when the request goes. */
async function send(name: string, priority: Priority = 'new', bodyBytes = 0, signal = open): Promise<Permit> {
  const request = { requesterId: (lastId += 1), kind: 'POST', priority, bodyBytes };
  const permit = await gate.acquire(request, signal);
  sent.push(name);
  return permit;
}

/** As many as may be under way at the beginning. */
async function fill(priority: Priority = 'new', bodyBytes = 0): Promise<Permit[]> {
  return Promise.all(Array.from({ length: gate.requests }, () => send('first', priority, bodyBytes)));
}

test('lets as many requests go as the limit has, and the next one when one is over', async () => {
  const first = await fill();
  expect(first).toHaveLength(6);
  expect(gate.hasRoom(0)).toBe(false);
  void send('next');
  await clock.advance(0);
  expect(sent).not.toContain('next');
  first[0]?.release();
  first[0]?.release();
  await clock.advance(0);
  expect(sent.at(-1)).toBe('next');
  expect(gate.hasRoom(0)).toBe(false);
});

test('goes no further than the limit of the user, and follows when it changes', async () => {
  most = 1;
  void send('one');
  void send('two');
  void send('three');
  await clock.advance(0);
  expect(sent).toEqual(['one']);
  most = 2;
  gate.wake();
  await clock.advance(0);
  expect(sent).toEqual(['one', 'two']);
});

test('what a person waits for goes first, then what has begun, what begins, and bulk operations', async () => {
  const first = await fill();
  for (const priority of ['bulk', 'new', 'begun', 'person'] as const) void send(priority, priority);
  await clock.advance(0);
  for (const permit of first) permit.release();
  await clock.advance(0);
  expect(sent.slice(first.length)).toEqual(['person', 'begun', 'new', 'bulk']);
});

test('who sends a body or reads one never waits: the one may be the other', async () => {
  const first = await fill();
  const request = { requesterId: 1, kind: 'POST', priority: 'begun', bodyBytes: large } as const;
  const waiting = gate.acquire(request, open);
  first[0]?.receive(large);
  const other = await gate.acquire(request, open);
  first[0]?.release();
  other.release();
  const sending = { ...request, requesterId: 99, sendsBody: true } as const;
  first[1]?.release();
  const post = await gate.acquire(sending, open);
  (await gate.acquire({ ...request, requesterId: 99 }, open)).release();
  post.release();
  for (const permit of first) permit.release();
  (await waiting).release();
  expect(await fill('begun')).toHaveLength(gate.requests);
});

test('requests of parts wait, although other parts of their file are sent', async () => {
  const first = await fill();
  const part = { requesterId: 99, kind: 'POST', priority: 'begun', sendsBody: true, isOfPart: true } as const;
  first[0]?.release();
  const one = await gate.acquire({ ...part, bodyBytes: large }, open);
  let isOut = false;
  const other = gate.acquire({ ...part, bodyBytes: large }, open).finally(() => (isOut = true));
  await clock.advance(0);
  expect(isOut).toBe(false);
  one.release();
  (await other).release();
});

test('small requests overtake large ones that have no room', async () => {
  const first = await fill();
  first[0]?.release();
  const bodies = await Promise.all(
    first.slice(1).map(async (permit, index) => {
      permit.release();
      return send(`large ${index}`, 'new', large);
    }),
  );
  void send('another large', 'begun', large);
  void send('small', 'begun');
  await clock.advance(0);
  expect(sent.at(-1)).toBe('small');
  for (const permit of bodies) permit.release();
  await clock.advance(0);
  expect(sent.at(-1)).toBe('another large');
});

test('bulk operations get a quarter while transfers run, and everything when none does', async () => {
  const transfer = await send('transfer');
  const bulk = Array.from({ length: 6 }, (_, index) => send(`bulk ${index}`, 'bulk'));
  await clock.advance(0);
  expect(sent).toEqual(['transfer', 'bulk 0']);
  transfer.release();
  await clock.advance(0);
  expect(sent).toHaveLength(7);
  for (const each of bulk) (await each).release();
});

test('bulk operations leave room for transfers that have started, until it is clear that they send nothing', async () => {
  const comes = Array.from({ length: 6 }, () => gate.expect(0));
  expect(gate.hasRoom(0)).toBe(false);
  void send('bulk', 'bulk');
  await clock.advance(0);
  expect(sent).toEqual([]);
  for (const come of comes) come();
  await clock.advance(0);
  expect(sent).toEqual(['bulk']);
});

test('a request that is stopped while it waits holds no permit', async () => {
  const first = await fill();
  const stopped = new AbortController();
  const waiting = send('stopped', 'new', 0, stopped.signal);
  stopped.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  for (const permit of first) permit.release();
  expect(await fill()).toHaveLength(6);
});

test('a request that is stopped just as its turn comes passes it on', async () => {
  const first = await fill();
  const stopped = new AbortController();
  const waiting = send('stopped', 'new', 0, stopped.signal);
  stopped.abort(new Error('enough'));
  first[0]?.release();
  await expect(waiting).rejects.toThrow('enough');
  await send('next');
  expect(sent.at(-1)).toBe('next');
});

test('tells when there is room, and goes on by itself when the service counts requests by the second', async () => {
  const answered = await fill();
  for (const permit of answered) {
    permit.leave('POST');
    permit.finish('answered');
    permit.release();
  }
  const refused = await send('refused');
  refused.leave('POST');
  await clock.advance(1);
  refused.finish('refused');
  refused.release();
  expect(limit.waitMs()).toBeGreaterThan(0);
  void send('again');
  await clock.advance(0);
  expect(sent).not.toContain('again');
  const before = rooms;
  await clock.advance(2000);
  expect(sent).toContain('again');
  expect(rooms).toBeGreaterThan(before);
});

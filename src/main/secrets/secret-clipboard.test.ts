import { beforeEach, expect, it } from 'vitest';
import { clipboardMs, type ClipboardState } from '../../shared/domain/secret.ts';
import { createTestClipboard, createTestLog } from '../../../test-support/main/test-ports.ts';
import { createSecretClipboard, type SecretClipboard } from './secret-clipboard.ts';

const none: ClipboardState = { objectId: null, clearsAtMs: null, waitsForFocus: false };

/** A simulated system clipboard, and a clock that advances only when told to. */
let system: ReturnType<typeof createTestClipboard>;
let isBroken: boolean;
let nowMs: number;
let timers: { dueMs: number; ring: () => void }[];
let states: ClipboardState[];
let log: ReturnType<typeof createTestLog>;
let clipboard: SecretClipboard;

/** @param asleepMs time during which the computer slept: its wall clock advances, timers do not */
async function pass(ms: number, asleepMs = 0): Promise<void> {
  nowMs += ms;
  for (const timer of timers) timer.dueMs += asleepMs;
  for (const { dueMs, ring } of timers) if (dueMs <= nowMs) ring();
  timers = timers.filter(({ dueMs }) => dueMs > nowMs);
  await settle();
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  system = createTestClipboard();
  isBroken = false;
  nowMs = 1_000;
  timers = [];
  states = [];
  log = createTestLog();
  clipboard = createSecretClipboard({
    desktop: {
      ...system,
      removeFromClipboard: async (isOurs) => {
        if (isBroken) throw new Error('no clipboard now');
        return system.removeFromClipboard(isOurs);
      },
    },
    clock: {
      nowMs: () => nowMs,
      monotonicMs: () => nowMs,
      delay: (delayMs, signal) =>
        new Promise((ring, reject) => {
          timers.push({ dueMs: nowMs + delayMs, ring });
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    },
    log,
    onChanged: (state) => states.push(state),
  });
});

it('clears a value after exactly 45 seconds, and announces it', async () => {
  const copied = { objectId: 7, clearsAtMs: 1_000 + clipboardMs, waitsForFocus: false };
  expect(await clipboard.copy(7, 'a value')).toEqual(copied);
  expect([system.text, clipboard.state()]).toEqual(['a value', copied]);
  await pass(clipboardMs - 1);
  expect(system.text).toBe('a value');
  await pass(1);
  expect([system.text, clipboard.state()]).toEqual(['', none]);
  expect(states).toEqual([copied, none]);
});

it('leaves content that another program copied since', async () => {
  await clipboard.copy(7, 'a value');
  system.text = 'a shopping list';
  await pass(clipboardMs);
  expect([system.text, clipboard.state()]).toEqual(['a shopping list', none]);
});

it('knows a value whose line ends the system has changed', async () => {
  await clipboard.copy(7, 'one\ntwo\n');
  system.text = 'one\r\ntwo\r\n';
  await pass(clipboardMs);
  expect(system.text).toBe('');
});

it('gives a second value its own 45 seconds', async () => {
  await clipboard.copy(7, 'first');
  await pass(30_000);
  await clipboard.copy(8, 'second');
  await pass(30_000);
  expect([system.text, clipboard.state().objectId]).toEqual(['second', 8]);
  await pass(15_000);
  expect(system.text).toBe('');
});

it('clears on request, once', async () => {
  await clipboard.copy(7, 'a value');
  await clipboard.clear();
  expect([system.text, clipboard.state()]).toEqual(['', none]);
  system.text = 'a value';
  await pass(clipboardMs);
  await clipboard.clear();
  expect(system.text).toBe('a value');
});

it('clears on waking what was due while the computer slept', async () => {
  await clipboard.copy(7, 'a value');
  await pass(20_000, 20_000);
  clipboard.wake();
  await settle();
  expect(system.text).toBe('a value');
  await pass(60_000, 60_000);
  expect(system.text).toBe('a value');
  clipboard.wake();
  await settle();
  expect([system.text, clipboard.state()]).toEqual(['', none]);
});

it('holds a value that cannot be cleared without the focus, says so once, and clears it at the next focus', async () => {
  const copied = await clipboard.copy(7, 'a value');
  system.waits = true;
  await pass(clipboardMs);
  const waiting = { ...copied, waitsForFocus: true };
  expect([system.text, clipboard.state()]).toEqual(['a value', waiting]);
  await clipboard.clear();
  await pass(clipboardMs);
  expect(states).toEqual([copied, waiting]);
  system.waits = false;
  clipboard.focused();
  await settle();
  expect([system.text, states.at(-1)]).toEqual(['', none]);
});

it('lets a waiting value go when another program copies, without the focus', async () => {
  await clipboard.copy(7, 'a value');
  system.waits = true;
  await pass(clipboardMs);
  system.text = 'a shopping list';
  await pass(clipboardMs);
  expect([system.text, clipboard.state()]).toEqual(['a shopping list', none]);
});

it('the focus alone clears nothing before its time', async () => {
  await clipboard.copy(7, 'a value');
  clipboard.focused();
  await settle();
  expect(system.text).toBe('a value');
});

it('a copy that the clipboard did not take is a failure', async () => {
  system.refuses = true;
  await expect(clipboard.copy(7, 'a value')).rejects.toMatchObject({
    error: { code: 'clipboardRefused', problem: 'notKept' },
  });
  expect([clipboard.state(), states]).toEqual([none, []]);
});

it('retries a failed clear', async () => {
  await clipboard.copy(7, 'a value');
  isBroken = true;
  await pass(clipboardMs);
  isBroken = false;
  await pass(clipboardMs);
  expect([system.text, clipboard.state()]).toEqual(['', none]);
});

it('tries again at the end what could not be cleared, and logs no value', async () => {
  await clipboard.copy(7, 'a value');
  isBroken = true;
  await pass(clipboardMs);
  expect(clipboard.state().objectId).toBe(7);
  isBroken = false;
  await clipboard.clear();
  expect([system.text, clipboard.state()]).toEqual(['', none]);
  expect(log.lines).toHaveLength(1);
  expect(log.lines.join()).not.toContain('a value');
});

it('empties the clipboard in the same step when the session ends, while a value may be on it, and not otherwise', async () => {
  system.text = 'mine';
  clipboard.clearUnseen();
  expect(system.text).toBe('mine');
  await clipboard.copy(7, 'hunter2');
  clipboard.clearUnseen();
  expect([system.text, clipboard.state()]).toEqual(['', none]);
});

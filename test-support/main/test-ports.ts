import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { EventName } from '../../src/shared/contract.ts';
import { AppFailure } from '../../src/shared/app-failure.ts';
import type { Database } from '../../src/main/storage/database.ts';
import { Emitter } from '../../src/main/lib/emitter.ts';
import type { Documents } from '../../src/main/database/documents.ts';
import { openDatabase } from '../../src/main/storage/open-database.ts';
import type { ClipboardAccess } from '../../src/main/secrets/clipboard-programs.ts';
import type { Clock, Log, Publisher, SecretStore } from '../../src/main/ports.ts';
import { removeFolder } from '../remove-folder.ts';

export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-test-'));
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** A clock whose delays end at once; each is recorded and advances the time. */
export function createTestClock(): Clock & { delays: number[] } {
  const delays: number[] = [];
  let aheadMs = 0;
  return {
    delays,
    nowMs: () => Date.now() + aheadMs,
    monotonicMs: () => performance.now() + aheadMs,
    async delay(delayMs, signal) {
      delays.push(delayMs);
      await delay(1, undefined, signal && { signal });
      aheadMs += Math.ceil(delayMs);
    },
  };
}

/**
 * Real time, sped up: waiting a minute takes a moment, and the order of events stays.
 * @param sinceMs wall time from which the clock is faster: the same for successive processes
 */
export function createQuickClock(times: number, sinceMs: number = performance.timeOrigin): Clock {
  const monotonicMs = () => performance.now() * times;
  return {
    nowMs: () => Math.round(sinceMs + (Date.now() - sinceMs) * times),
    monotonicMs,
    // A timer may fire a fraction of a millisecond early, which is much by this clock.
    async delay(delayMs, signal) {
      const dueMs = monotonicMs() + delayMs;
      do await delay(Math.max(0, dueMs - monotonicMs()) / times, undefined, signal && { signal });
      while (monotonicMs() < dueMs);
    },
  };
}

/** Each line is the message and the details as JSON, without the level. */
export function createTestLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write = (message: string, details: unknown = {}) => {
    const causes = (_key: string, value: unknown) => (value instanceof Error ? `${value.stack}` : value);
    lines.push(`${message} ${JSON.stringify(details, causes)}`);
  };
  return { lines, info: write, warn: write, error: write };
}

type TestPublisher = Publisher & {
  events: { event: EventName; payload: unknown }[];
  /** The payload of the next event of this name, in the tick in which it is published: polling would see it later. */
  next: (name: EventName) => Promise<unknown>;
};

export function createTestPublisher(): TestPublisher {
  const events: TestPublisher['events'] = [];
  const published = new Emitter<[event: EventName, payload: unknown]>();
  return {
    events,
    publish(event, payload) {
      const told: unknown = structuredClone(payload);
      events.push({ event, payload: told });
      published.fire(event, told);
    },
    next: (name) =>
      new Promise((resolve) => {
        const stop = published.event((event, payload) => {
          if (event !== name) return;
          stop();
          resolve(payload);
        });
      }),
  };
}

/** A clipboard. `refuses`: it ignores what is copied; `waits`: it can be cleared only once that is false (Wayland). */
export function createTestClipboard(): TestClipboard {
  const clipboard: TestClipboard = {
    text: '',
    refuses: false,
    waits: false,
    readClipboardText: async () => clipboard.text,
    async writeSecretToClipboard(text) {
      if (!clipboard.refuses) clipboard.text = text;
    },
    async removeFromClipboard(isOurs) {
      if (!isOurs(clipboard.text)) return true;
      if (clipboard.waits) return false;
      clipboard.text = '';
      return true;
    },
    async clearClipboard() {
      clipboard.text = '';
    },
  };
  return clipboard;
}
type TestClipboard = ClipboardAccess & { text: string; refuses: boolean; waits: boolean };

/** A keychain that can be made unusable. */
export function createTestSecrets(): SecretStore & { entries: Map<string, string>; usable: boolean } {
  const entries = new Map<string, string>();
  const requireUsable = () => {
    if (!store.usable) throw new AppFailure({ code: 'keychain', problem: 'unavailable' });
  };
  const store = {
    entries,
    usable: true,
    async get(account: string) {
      requireUsable();
      return entries.get(account) ?? null;
    },
    async set(account: string, value: string) {
      requireUsable();
      entries.set(account, value);
    },
    async delete(account: string) {
      requireUsable();
      entries.delete(account);
    },
  };
  return store;
}

/** Documents in memory, as stored texts by `collection/key`. */
export function createTestDocuments(): Pick<Documents, 'list' | 'write'> & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    async list(collection) {
      const prefix = `${collection}/`;
      return [...all]
        .filter(([key]) => key.startsWith(prefix))
        .map(([key, text]) => ({ key: key.slice(prefix.length), value: JSON.parse(text) as unknown }));
    },
    async write(collection, changes) {
      for (const { key, value } of changes) {
        if (value === undefined) all.delete(`${collection}/${key}`);
        else all.set(`${collection}/${key}`, JSON.stringify(value));
      }
    },
  };
}

/** A real catalogue in its own folder, closed after the test. */
export async function openTestDatabase(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-test-'));
  const opened = await openDatabase({ folder, nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('a new database is broken');
  onTestFinished(async () => {
    await opened.database.close();
    await removeFolder(folder);
  });
  return opened.database;
}

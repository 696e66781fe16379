import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { EventName } from '../shared/contract.ts';
import { AppFailure } from '../shared/errors.ts';
import type { Clock, Log, Publisher, SecretStore } from './ports.ts';

/** What the outside provides, for tests. */

export async function makeTestFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** `quick`: every delay is over at once, and noted. */
export function createTestClock(quick = true): Clock & { delays: number[] } {
  const delays: number[] = [];
  return {
    delays,
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    async delay(delayMs, signal) {
      delays.push(delayMs);
      await delay(quick ? 1 : delayMs, undefined, signal && { signal });
    },
  };
}

export function createTestLog(): Log & { lines: string[] } {
  const lines: string[] = [];
  const write = (message: string, details: unknown = {}) => {
    const causes = (_key: string, value: unknown) => (value instanceof Error ? `${value.stack}` : value);
    lines.push(`${message} ${JSON.stringify(details, causes)}`);
  };
  return { lines, info: write, warn: write, error: write };
}

export function createTestPublisher(): Publisher & { events: { event: EventName; payload: unknown }[] } {
  const events: { event: EventName; payload: unknown }[] = [];
  return {
    events,
    publish: (event, payload) => void events.push({ event, payload: structuredClone(payload) }),
  };
}

/** A keychain that can be taken away. */
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

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../src/main/clock.ts';
import type { TeamCopy } from '../../src/main/objects/team/team-copy.ts';
import type { Database } from '../../src/main/storage/database.ts';
import { openDatabase } from '../../src/main/storage/open-database.ts';
import { startTeamSync, type TeamSync } from '../../src/main/team/team-sync.ts';
import type { startTeamThread } from '../../src/main/team/team-thread.ts';
import type { ObjectQuery } from '../../src/shared/domain/object.ts';
import type { BenchTeam } from './server.ts';

export const serviceId = 'bench';

/** The window's first query. */
const shown: ObjectQuery = {
  serviceId,
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'stored', direction: 'descending' },
};

/** Opens a database in its own data folder, as the app does. */
export async function openComputer(folder: string, name: string): Promise<Database> {
  const path = join(folder, name);
  await mkdir(path, { recursive: true });
  const opened = await openDatabase({ folder: path, nowMs: Date.now });
  if (opened.state !== 'ready') throw new Error('The database is broken');
  await opened.database.documents.put('services', serviceId, {});
  await opened.database.catalogue.setNaming(serviceId, { separator: '/', versionMark: '@{number}' });
  return opened.database;
}

export const joiningOf = ({ port, database, list, member }: BenchTeam) => ({
  place: JSON.stringify({
    host: '127.0.0.1',
    port,
    database,
    role: member.role,
    authority: null,
    clientCertificate: null,
  }),
  list,
  me: member.id,
  sharesEarlier: false,
});

/** Runs the app's sync loop, with its thread. */
export function follow(copy: TeamCopy, team: BenchTeam, startThread?: typeof startTeamThread): TeamSync {
  return startTeamSync({
    serviceId,
    copy,
    credentials: async () => ({ password: team.member.password, passphrase: null }),
    clock: systemClock,
    random: Math.random,
    log: { info: console.error, warn: console.error, error: console.error },
    onSyncState: () => undefined,
    ...(startThread && { startThread }),
  });
}

/** @param onDone called with the name of each function whose result is written to the file */
export function watchCopy(copy: TeamCopy, onDone: (name: string | symbol) => void): TeamCopy {
  return new Proxy(copy, {
    get: (of, name): unknown => {
      const work: unknown = Reflect.get(of, name);
      if (typeof work !== 'function') return work;
      return async (...args: unknown[]): Promise<unknown> => {
        const result: unknown = await work(...args);
        onDone(name);
        return result;
      };
    },
  });
}

/** Resolves when everything has been sent and read. */
export async function untilLive(sync: TeamSync): Promise<void> {
  const syncState = await sync.sync();
  if (syncState.kind !== 'live') throw new Error(`The team’s list: ${JSON.stringify(syncState)}`);
}

/** Duration of an operation, and how the window's list responded meanwhile. */
export interface Meanwhile {
  readonly ms: number;
  /** Of all threads of this process. */
  readonly processorMs: number;
  readonly answersMs: readonly number[];
  /** The longest time that the main thread was blocked. */
  readonly blockedMs: number;
}

export async function whileAsked(database: Database, work: () => Promise<unknown>): Promise<Meanwhile> {
  const answersMs: number[] = [];
  const blocks = monitorEventLoopDelay({ resolution: 1 });
  const begun = { ms: performance.now(), cpu: process.cpuUsage() };
  blocks.enable();
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  while (!isOver) {
    const askedMs = performance.now();
    await database.catalogue.page(shown, 0, 100);
    answersMs.push(performance.now() - askedMs);
    await Promise.race([working, delay(20)]);
  }
  await working;
  blocks.disable();
  const { user, system } = process.cpuUsage(begun.cpu);
  return {
    ms: performance.now() - begun.ms,
    processorMs: (user + system) / 1000,
    answersMs,
    blockedMs: blocks.max / 1e6,
  };
}

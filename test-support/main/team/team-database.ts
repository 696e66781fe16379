import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { writeInvitation } from '../../../src/main/team/invitation.ts';
import { createDatabase, createTeam, type TeamDatabase } from './create-team.ts';
import { removePostgres, startPostgres, type Postgres } from './postgres.ts';

export type { Answer, Change, Member, TeamDatabase } from './create-team.ts';

type TeamServer = {
  port: () => number;
  /** @param from who invites */
  invitationOf: (
    team: Pick<TeamDatabase, 'name' | 'list'>,
    member: { role: { name: string; password: string | null } },
    from?: string,
  ) => string;
  stop: (how: 'fast' | 'immediate') => Promise<void>;
  /** After `stop`, on another port. */
  start: () => Promise<void>;
  /** An empty database, and the connection of the server's superuser to it. @param options of CREATE DATABASE */
  createDatabase: (options?: string) => Promise<pg.Client>;
  /** An empty list of its own for one test, in a database that an earlier test may have had: making one takes most of the time. */
  createTeam: () => Promise<TeamDatabase>;
  /** One for all tests of the file that do not mind each other. */
  shareTeam: () => Promise<TeamDatabase>;
};

/** One server for the tests of a file. */
export function startTeamServer(): TeamServer {
  let folder: string;
  let server: Postgres;
  const start = async () => {
    // Nothing has to outlive this computer.
    server = await startPostgres(folder, ['fsync=off', 'full_page_writes=off', 'autovacuum=off']);
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'coffer-team-'));
    await start();
  });
  afterAll(() => removePostgres(server, folder));
  let shared: Promise<TeamDatabase> | undefined;
  const free: string[] = [];
  const onFree = (name: string) => void free.push(name);
  return {
    port: () => server.port,
    invitationOf: ({ name, list }, { role }, from) =>
      writeInvitation({
        host: '127.0.0.1',
        port: server.port,
        database: name,
        role: role.name,
        authority: null,
        list,
        password: role.password,
        from: from ?? null,
      }),
    stop: (how) => server.stop(how),
    start,
    createDatabase: async (options) => {
      const { owner } = await createDatabase(server, options);
      onTestFinished(() => owner.end());
      return owner;
    },
    createTeam: () => createTeam(server, (end) => onTestFinished(end), free.pop(), onFree),
    // Its connections end with the server.
    shareTeam: () => (shared ??= createTeam(server, () => undefined)),
  };
}

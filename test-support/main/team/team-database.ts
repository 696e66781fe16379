import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { writeInvitation } from '../../../src/main/team/invitation.ts';
import type {} from '../test-setup.ts';
import { createDatabase, createTeam, type TeamDatabase } from './create-team.ts';
import { removePostgres, startPostgres, type Postgres } from './postgres.ts';

export type { Change, Member, TeamDatabase } from './create-team.ts';

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
  /**
   * A copy of a team's database, which ends all sessions.
   * @returns puts it back, which ends them again; `look` is called before anybody else is let in. Answers the owner's new connection
   */
  backUp: (
    team: Pick<TeamDatabase, 'name'>,
  ) => Promise<(look?: (owner: pg.Client) => Promise<void>) => Promise<pg.Client>>;
  /** One for all tests of the file that do not mind each other. */
  shareTeam: () => Promise<TeamDatabase>;
};

/** One server for the tests of a file. */
export function startTeamServer(): TeamServer {
  let folder: string;
  let server: Postgres;
  const start = async () => {
    // Nothing has to outlive this computer.
    const options = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'];
    server = await startPostgres(folder, options, undefined, inject('postgres') ?? undefined);
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
    backUp: async ({ name }) => {
      const backup = `${name}_backup`;
      await (await copyDatabase(server, name, backup)).end();
      return async (look) => {
        const owner = await copyDatabase(server, backup, name, look);
        onTestFinished(() => owner.end());
        return owner;
      };
    },
    // Its connections end with the server.
    shareTeam: () => (shared ??= createTeam(server, () => undefined)),
  };
}

/** PostgreSQL copies a database, and drops one, only while nobody is connected. @returns connected to the copy */
async function copyDatabase(
  server: Postgres,
  from: string,
  to: string,
  look: (owner: pg.Client) => Promise<void> = async () => undefined,
): Promise<pg.Client> {
  const maker = await server.owner();
  for (const name of [from, to]) {
    await maker.query('update pg_database set datallowconn = false where datname = $1', [name]);
    await maker.query('select pg_terminate_backend(pid, 30000) from pg_stat_activity where datname = $1', [
      name,
    ]);
  }
  await maker.query(`drop database if exists ${to}`);
  // The limit holds for everybody but superusers.
  await maker.query(`create database ${to} template ${from} connection limit 0`);
  await maker.query('update pg_database set datallowconn = true where datname in ($1, $2)', [from, to]);
  const owner = await server.owner(to);
  await look(owner);
  await maker.query(`alter database ${to} connection limit -1`);
  await maker.end();
  return owner;
}

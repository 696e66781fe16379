import type pg from 'pg';
import { afterAll, onTestFinished } from 'vitest';
import { writeInvitation } from '../../../src/main/team/invitation.ts';
import { createDatabase, createTeam, type TeamDatabase } from './create-team.ts';
import type { Postgres } from './postgres.ts';
import { sharePostgres } from './test-postgres.ts';

export type { Change, Member, TeamDatabase } from './create-team.ts';
export { readable, readableHistory } from './create-team.ts';

type TeamServer = {
  port: () => number;
  log: () => Postgres['log'];
  /** @param from the inviting person's name */
  invitationOf: (
    team: Pick<TeamDatabase, 'name' | 'list'>,
    member: { role: { name: string; password: string | null } },
    from?: string,
  ) => string;
  stop: (how: 'fast' | 'immediate') => Promise<void>;
  /** Call after `stop`. Uses another port. */
  start: () => Promise<void>;
  /** Creates an empty database and connects as the superuser. @param options of CREATE DATABASE */
  createDatabase: (options?: string) => Promise<pg.Client>;
  /** An empty list for one test, in a database that an earlier test may have used: making one takes most of the time. */
  createTeam: () => Promise<TeamDatabase>;
  /**
   * Copies a team's database, which ends all sessions.
   * @returns puts the copy back, which ends them again; `look` runs before anybody else can connect. Resolves to the owner's new connection
   */
  backUp: (
    team: Pick<TeamDatabase, 'name'>,
  ) => Promise<(look?: (owner: pg.Client) => Promise<void>) => Promise<pg.Client>>;
  /** One list for all tests of the file that do not disturb each other. */
  shareTeam: () => Promise<TeamDatabase>;
};

/** The server that the tests of this process share. */
export function startTeamServer(): TeamServer {
  const postgres = sharePostgres();
  const server = () => postgres().server;
  const create = (atEnd: (end: () => Promise<void>) => void) => {
    const { free } = postgres();
    return createTeam(server(), atEnd, free.pop(), (database) => void free.push(database));
  };
  let shared: Promise<TeamDatabase> | undefined;
  const endsOfShared: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of endsOfShared.toReversed()) await end();
  });
  return {
    port: () => server().port,
    log: () => server().log,
    invitationOf: ({ name, list }, { role }, from) =>
      writeInvitation({
        host: '127.0.0.1',
        port: server().port,
        database: name,
        role: role.name,
        authority: null,
        list,
        password: role.password,
        from: from ?? null,
      }),
    stop: (how) => postgres().stop(how),
    start: () => postgres().start(),
    createDatabase: async (options) => {
      const { owner } = await createDatabase(server(), options);
      onTestFinished(() => owner.end());
      return owner;
    },
    createTeam: () => create((end) => onTestFinished(end)),
    backUp: async ({ name }) => {
      const backup = `${name}_backup`;
      await (await copyDatabase(server(), name, backup)).end();
      return async (look) => {
        const owner = await copyDatabase(server(), backup, name, look);
        onTestFinished(() => owner.end());
        return owner;
      };
    },
    shareTeam: () => (shared ??= create((end) => endsOfShared.push(end))),
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
  // The limit does not apply to superusers.
  await maker.query(`create database ${to} template ${from} connection limit 0`);
  await maker.query('update pg_database set datallowconn = true where datname in ($1, $2)', [from, to]);
  const owner = await server.owner(to);
  await look(owner);
  await maker.query(`alter database ${to} connection limit -1`);
  await maker.end();
  return owner;
}

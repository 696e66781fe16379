import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTeamBench } from '../../../test-support/main/team/team-bench.ts';
import {
  curatorOf,
  mayAddMembers,
  newList,
  ownDatabase,
} from '../../../test-support/main/team/own-database.ts';
import { startTeamServer } from '../../../test-support/main/team/team-database.ts';
import { readInvitation } from './invitation.ts';
import { rolesReachOf } from './wire/roles.ts';

const { createDatabase, port } = startTeamServer();

/** Makes a team, and connects as its curator with any program. @param rights of the owner of the database */
async function openCurator(makesRoles: 'no' | 'own' | 'all', rights = 'createrole') {
  const own = await ownDatabase(await createDatabase(), port(), rights);
  await mayAddMembers(own);
  const { access, admin, database } = own;
  const bench = await openTeamBench();
  const role = `anna_${database}`;
  const inspect = await bench.calls['team.inspectToCreate']({ access });
  const { invitation } = await bench.calls['team.create']({
    access,
    list: newList('Files'),
    curator: curatorOf(role, makesRoles),
  });
  const client = new pg.Client({
    host: '127.0.0.1',
    port: port(),
    database,
    user: role,
    password: readInvitation(invitation).password ?? '',
  });
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await admin.query<{ mayMake: boolean; version: number }>(
    `select rolcreaterole as "mayMake", current_setting('server_version_num')::int as version from pg_roles where rolname = $1`,
    [role],
  );
  const { mayMake = null, version = 0 } = rows[0] ?? {};
  return { ...own, curator: client, role, look: inspect, mayMake, reach: rolesReachOf(version) };
}

type Opened = Awaited<ReturnType<typeof openCurator>>;

/** The ways from making roles to the whole server. @returns those that are open */
async function waysToTheServer({ admin, curator, database }: Opened): Promise<string[]> {
  const { rows } = await admin.query<{ name: string }>(
    "select rolname as name from pg_roles where rolname ~ '^pg_'",
  );
  const ways = [
    ...rows.map(({ name }) => `grant ${name} to current_user`),
    `grant owner_${database} to current_user`,
    `alter role owner_${database} password 'theirs'`,
    'alter role current_user superuser',
    `create role super_${database} superuser`,
    `create role program_${database} in role pg_execute_server_program`,
    "copy (select 1) to program 'cat'",
  ];
  const open: string[] = [];
  for (const way of ways) {
    const isDone = await curator.query(way).then(
      () => true,
      () => false,
    );
    if (isDone) open.push(way);
  }
  return open;
}

describe('the first curator', () => {
  it.each(['createrole', 'superuser'])(
    'gets no way to run programs on the server from a %s',
    async (rights) => {
      const opened = await openCurator('own', rights);
      expect(await waysToTheServer(opened)).toEqual([]);
      expect(opened.mayMake).toBe(opened.reach === 'own');
      expect(opened.look.rolesReach).toBe(opened.reach);
      const { rows } = await opened.curator.query<{ all: string[] }>(
        `select array[current_setting('statement_timeout'), current_setting('lock_timeout'),
          current_setting('idle_in_transaction_session_timeout')] as all`,
      );
      expect(rows).toEqual([{ all: ['5min', '10s', '1min'] }]);
    },
  );

  it('may make roles where that reaches all others if the owner has asked for just that', async () => {
    expect(await openCurator('all')).toMatchObject({ mayMake: true });
    const { mayMake, curator, database } = await openCurator('no');
    expect(mayMake).toBe(false);
    await expect(curator.query(`create role further_${database}`)).rejects.toMatchObject({ code: '42501' });
  });

  it.each([
    [150_018, 'all'],
    [160_000, 'own'],
    [180_004, 'own'],
  ])('on a server of version %d could change %s roles', (version, reach) => {
    expect(rolesReachOf(version)).toBe(reach);
  });
});

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { writeInvitation } from '../../../src/main/team/invitation.ts';
import { migrate } from '../../../src/main/team/schema/migrate.ts';
import { removePostgres, startPostgres, type Postgres } from './postgres.ts';

export type Team = {
  /** Anna curates the list, Ben contributes. */
  invitations: { anna: string; ben: string };
  stop: () => Promise<void>;
  /** After `stop`, at the same port. */
  start: () => Promise<void>;
  /** Ends Ben's membership. */
  endBen: () => Promise<void>;
  close: () => Promise<void>;
};

const database = 'team';
const listName = 'Meridian';

/** A real PostgreSQL with a list of two people, about the service at this address. */
export async function startTeam(folder: string, address: string): Promise<Team> {
  const data = join(folder, 'team');
  // The data need not survive a crash of this computer.
  const options = ['fsync=off', 'full_page_writes=off', 'autovacuum=off'];
  let server: Postgres = await startPostgres(data, options);
  const { port } = server;
  const maker = await server.owner();
  await maker.query(`create database ${database}`);
  await maker.end();
  const owner = await server.owner(database);
  await migrate(owner);
  const roles = { anna: randomBytes(12).toString('hex'), ben: randomBytes(12).toString('hex') };
  for (const [role, password] of Object.entries(roles))
    await owner.query(`create role ${role} login password '${password}' in role coffer_member`);
  const { rows } = await owner.query<{ list: number }>(
    `select coffer.create_list_1($1, $2, '/', '@{number}', 'anna', 'Anna Berg') as list`,
    [listName, address],
  );
  const list = rows[0]?.list ?? 0;
  await owner.end();

  async function asAnna(sql: string, values: unknown[]): Promise<unknown> {
    const anna = await server.connect(database, { name: 'anna', password: roles.anna });
    const answer = await anna.query<{ result: unknown }>(`select ${sql} as result`, values);
    await anna.end();
    return answer.rows[0]?.result;
  }
  const ben = await asAnna(`coffer.set_person_1($1, 'ben', 'Ben Aalto', false)`, [list]);
  await asAnna('coffer.set_access_1(1, $1, 2::smallint)', [ben]);

  const invite = (role: keyof typeof roles) =>
    writeInvitation({
      host: '127.0.0.1',
      port,
      database,
      role,
      authority: null,
      list,
      password: roles[role],
      from: 'Anna Berg',
    });
  return {
    invitations: { anna: invite('anna'), ben: invite('ben') },
    stop: () => server.stop('fast'),
    start: async () => {
      server = await startPostgres(data, options, port);
    },
    endBen: async () => {
      // As the superuser: joining has replaced Anna's password.
      const chief = await server.owner(database);
      await chief.query("update coffer.person set ended_at = now() where role_name = 'ben'");
      await chief.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ben'");
      await chief.end();
    },
    close: () => removePostgres(server, data),
  };
}

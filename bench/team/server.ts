import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type pg from 'pg';
import { removePostgres, startPostgres } from '../../test-support/main/team/postgres.ts';
import { migrate } from '../../src/main/team/schema/migrate.ts';

export interface Member {
  readonly id: number;
  readonly role: string;
  readonly password: string;
}

/** A team's list on a real PostgreSQL that writes to the disk, like a team's. */
export interface BenchTeam {
  readonly port: number;
  readonly database: string;
  readonly list: number;
  readonly owner: pg.Client;
  /** Contributes to every area. */
  readonly member: Member;
  /** Connects as this member, for plain SQL. */
  connect(): Promise<pg.Client>;
  stop(): Promise<void>;
}

const people = 20;
const database = 'team';

export async function startTeam(folder: string): Promise<BenchTeam> {
  const data = join(folder, 'server');
  const server = await startPostgres(data, [
    'shared_buffers=256MB',
    'max_wal_size=4GB',
    'max_connections=120',
  ]);
  const maker = await server.owner();
  await maker.query(`create database ${database}`);
  await maker.end();
  const owner = await server.owner(database);
  await migrate(owner);
  const role = { name: 'anna', password: randomBytes(12).toString('hex') };
  await owner.query(`create role ${role.name} login password '${role.password}' in role coffer_member`);
  const { rows } = await owner.query<{ list: number }>(
    `select coffer.create_list_1('Files', 'https://files.example', '/', '@{number}', $1, 'Anna') as list`,
    [role.name],
  );
  await owner.query(
    `insert into coffer.person (role_name, shown) select 'p' || n, 'Person ' || n from generate_series(2, $1::int) n`,
    [people],
  );
  return {
    port: server.port,
    database,
    list: rows[0]?.list ?? 0,
    owner,
    member: { id: 1, role: role.name, password: role.password },
    connect: () => server.connect(database, role),
    async stop() {
      await owner.end();
      await removePostgres(server, data);
    },
  };
}

/** Adds objects of all people to the list, as if pushed. Their identifiers have folders and several scripts. */
export async function addRows({ owner, list }: BenchTeam, count: number): Promise<void> {
  await owner.query(
    `insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by, bytes_ms, incarnation, length_bytes,
       sha256, classification, source_name, stored_ms, stored_by, note)
     select $1, 0, path || '/' || name, n, 1, case when n % 9 = 0 then 5 else 0 end, at_ms, who, at_ms, gen_random_uuid(),
       1000 + n, sha256(n::text::bytea), (array[null, 'Internal', 'Public', 'Confidential'])[1 + n % 4], name, at_ms, who,
       case when n % 10 = 0 then 'checked by ' || path else '' end
     from (
       select n, 1600000000000 + n * 1000 as at_ms, 1 + n % ${String(people)} as who,
         (array['reports', 'invoices', 'архив', 'scans', '資料'])[1 + n % 5] || '/' || (2019 + n % 8) || '/' || (n % 240) as path,
         (array['audit', 'Müller', 'отчёт', 'ledger'])[1 + n % 4] || '-' || substr(md5(n::text), 1, 9) || '-' || n || '.pdf' as name
       from generate_series(1, $2::bigint) n
     ) as made`,
    [list, count],
  );
  await owner.query('update coffer.feed set rev = $2 where list = $1', [list, count]);
  await owner.query(
    `insert into coffer.push (list, rev, tag, person, client, changes) values ($1, $2, gen_random_uuid(), 1, gen_random_uuid(), 1)`,
    [list, count],
  );
  await owner.query('vacuum analyze coffer.object');
}

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { threadId } from 'node:worker_threads';
import type pg from 'pg';
import { migrate } from '../../../src/main/team/schema/migrate.ts';
import type { ReachedPostgres } from './postgres.ts';

/** A change in the format of push_1; what is left out is null. */
export type Change = {
  identifier: string;
  kind?: number;
  state?: number;
  seen_ms?: number;
  incarnation?: string;
  length_bytes?: number;
  sha256?: string;
  classification?: string | null;
  class_base?: string | null;
  sets_class?: boolean;
  source_name?: string;
  stored_ms?: number;
  parts?: object;
  note?: string;
  note_base?: string;
  sets_renew?: boolean;
  renew_by?: string;
  forget?: boolean;
};

export type Answer = {
  rev: number;
  tag: string;
  refused: [number, string][];
  kept: [number, string][];
  older: number[];
};

/** A person's connection from a computer, which pushes as a client does. */
export type Member = {
  id: number;
  role: { name: string; password: string };
  client: pg.Client;
  /** Pushes to the first list. */
  push: (...changes: Change[]) => Promise<Answer>;
  call: <Result>(sql: string, ...values: unknown[]) => Promise<Result>;
  rows: <Row>(sql: string, ...values: unknown[]) => Promise<Row[]>;
};

export type TeamDatabase = {
  name: string;
  list: number;
  owner: pg.Client;
  curator: Member;
  /** @param may in the area of the whole list: 1 read, 2 contribute, 3 curate; 0 no access */
  join: (name: string, may: number) => Promise<Member>;
  /** Connects another computer of the same person. */
  connect: (member: Pick<Member, 'id' | 'role'>) => Promise<Member>;
};

/** What a member may read of the first list, for FROM. */
export const readable = {
  objects: 'coffer.rows_1(1, 0, 1000000000, null)',
  departures: 'coffer.moved_1(1, 0, 1000000000, null)',
} as const;
/** Of all objects that they may read. */
export const readableHistory = `(select h.* from ${readable.objects} o, coffer.history_1(1, o.kind, o.identifier, null) h) h`;

let made = 0;
let roles = 0;

export async function createDatabase(server: ReachedPostgres, options = '') {
  made += 1;
  // Threads may share a server.
  const name = `team${String(made)}${threadId === 0 ? '' : `_${String(threadId)}`}`;
  const maker = await server.owner();
  await maker.query(`create database ${name} ${options}`);
  await maker.end();
  return { name, owner: await server.owner(name) };
}

/**
 * Closing a connection leaves the server at work on its last statement, whose locks could deadlock with those of emptying
 * the database. So all other sessions are ended first.
 */
async function endOthers(owner: pg.Client): Promise<void> {
  await owner.query(
    `select pg_terminate_backend(pid, 30000) from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
}

export async function dropSchema(owner: pg.Client): Promise<void> {
  await endOthers(owner);
  await owner.query('drop schema if exists coffer cascade');
}

/** A database that a test no longer needs, with the fingerprint of its schema before that test. */
export type FreeDatabase = { name: string; fingerprint: string };

/**
 * Covers all that a test could have changed besides rows, which are removed: functions, tables, their columns and
 * constraints, policies, rights and the steps of the schema.
 */
async function fingerprintOf(owner: pg.Client): Promise<string> {
  const { rows } = await owner.query<{ all: string }>(`
    with tables as (
      select * from pg_class where relnamespace in (select oid from pg_namespace where nspname in ('coffer', 'public'))
    )
    select string_agg(part, ' ' order by part) as all from (
      select concat('f', oid, ':', xmin) from pg_proc where pronamespace in (select relnamespace from tables)
      union all select concat('t', oid, relname, relkind, relacl, relrowsecurity, relforcerowsecurity) from tables
      union all select concat('a', attrelid, ':', attnum, ':', xmin) from pg_attribute where attrelid in (select oid from tables)
      union all select concat('c', oid, ':', xmin) from pg_constraint where conrelid in (select oid from tables)
      union all select concat('p', oid, ':', xmin) from pg_policy
      union all select concat('n', oid, nspname, nspowner, nspacl) from pg_namespace where nspname !~ '^pg_'
      union all select concat('s', xmin, ctid) from coffer.step
      union all select concat('d', datdba, datacl) from pg_database where datname = current_database()
    ) parts (part)`);
  return createHash('sha256')
    .update(rows[0]?.all ?? '')
    .digest('hex');
}

/**
 * Removes the rows, ends all other sessions, and restarts the sequences. TRUNCATE makes new files for all tables and indexes, which
 * takes longer than deleting a few rows; many would stay in the tables as dead ones.
 */
async function emptyTables(owner: pg.Client): Promise<void> {
  await endOthers(owner);
  await owner.query(`do $$ declare
    names text[];
    are_small boolean;
    name text;
  begin
    select array_agg(oid::regclass::text), bool_and(pg_table_size(oid) < 100000) into names, are_small
      from pg_class where relnamespace = 'coffer'::regnamespace and relkind = 'r' and relname <> 'step';
    if not are_small then
      execute format('truncate %s restart identity', array_to_string(names, ','));
      return;
    end if;
    -- Without triggers and foreign keys.
    set local session_replication_role = replica;
    foreach name in array names loop
      execute 'delete from ' || name;
    end loop;
    perform setval(seqrelid::regclass, seqstart, false) from pg_sequence
      where seqrelid in (select oid from pg_class where relnamespace = 'coffer'::regnamespace);
  end $$`);
}

/** @param former is emptied, or rebuilt if its schema was changed: making one takes most of the time of a small test */
export async function createTeam(
  server: ReachedPostgres,
  atEnd: (end: () => Promise<void>) => void,
  former?: FreeDatabase,
  onFree: (database: FreeDatabase) => void = () => undefined,
): Promise<TeamDatabase> {
  const made =
    former === undefined
      ? await createDatabase(server)
      : { name: former.name, owner: await server.owner(former.name) };
  const { name, owner } = made;
  owner.on('error', () => undefined);
  let fingerprint = former?.fingerprint;
  atEnd(async () => {
    await owner.end();
    if (fingerprint !== undefined) onFree({ name, fingerprint });
  });
  if (fingerprint !== undefined && fingerprint === (await fingerprintOf(owner))) await emptyTables(owner);
  else {
    if (former !== undefined) await dropSchema(owner);
    await migrate(owner);
    fingerprint = await fingerprintOf(owner);
  }

  async function connect({ id, role }: Pick<Member, 'id' | 'role'>): Promise<Member> {
    const client = await server.connect(name, role);
    // The session may be ended by a test, or when the server stops.
    client.on('error', () => undefined);
    atEnd(() => client.end());
    return createMember(client, id, role, list);
  }
  async function createRole(shown: string) {
    roles += 1;
    const role = { name: `${shown}${String(roles)}_${name}`, password: randomBytes(12).toString('hex') };
    await owner.query(`create role ${role.name} login password '${role.password}' in role coffer_member`);
    return role;
  }
  const chief = await createRole('curator');
  const { rows } = await owner.query<{ list: number; person: number }>(
    `select coffer.create_list_1('Files', 'https://files.example', '/', '@', $1, 'Curator') as list, (select 1) as person`,
    [chief.name],
  );
  const list = rows[0]?.list ?? 0;
  const curator = await connect({ id: 1, role: chief });
  return {
    name,
    list,
    owner,
    curator,
    connect,
    join: async (shown, may) => {
      const role = await createRole(shown);
      const id = await curator.call<number>('coffer.set_person_1($1, $2, $3, false)', list, role.name, shown);
      if (may > 0) await curator.call('coffer.set_access_1(1, $1, $2::smallint)', id, may);
      return connect({ id, role });
    },
  };
}

function createMember(client: pg.Client, id: number, role: Member['role'], list: number): Member {
  const computer = randomUUID();
  let seq = 0;
  let before: string | null = null;
  const rows: Member['rows'] = async (sql, ...values) => (await client.query(sql, values)).rows as never;
  const call: Member['call'] = async (sql, ...values) => {
    const [row] = await rows<{ result: never }>(`select ${sql} as result`, ...values);
    if (row === undefined) throw new Error(`${sql} answered no row`);
    return row.result;
  };
  return {
    id,
    role,
    client,
    rows,
    call,
    push: async (...changes) => {
      const tag = randomUUID();
      const all = JSON.stringify(changes.map((change) => ({ kind: 0, ...change })));
      const sql = 'coffer.push_1($1, $2, $3, $4, $5, $6)';
      const answer = await call<Answer>(sql, list, computer, seq + 1, before, tag, all);
      seq += 1;
      before = tag;
      return answer;
    },
  };
}

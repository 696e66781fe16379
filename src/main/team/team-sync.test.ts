import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { createMemoryCopy, type MemoryCopy } from '../../../test-support/main/team/memory-copy.ts';
import { followTeam, joinAs, type Following } from '../../../test-support/main/team/follow-team.ts';
import { startTcpProxy } from '../../../test-support/main/team/tcp-proxy.ts';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../test-support/main/team/team-database.ts';
import { startTeamThread } from './team-thread.ts';

const { createTeam, port, stop, start } = startTeamServer();

const joiningOf = (team: TeamDatabase, member: Member, through = port()) => joinAs(team, member, through);

type Follower = Following<MemoryCopy>;
const follow = (member: Member, copy: MemoryCopy, options: Parameters<typeof followTeam>[3] = {}) =>
  followTeam('s', member, copy, options);

const join = (team: TeamDatabase, member: Member, through?: number) =>
  follow(member, createMemoryCopy(joiningOf(team, member, through)));

function change({ copy, sync }: Follower, ...changes: Parameters<MemoryCopy['change']>): void {
  copy.change(...changes);
  sync.noteChange();
}

async function serverRows(team: TeamDatabase): Promise<Record<string, number>> {
  const { rows } = await team.owner.query<{ identifier: string; rev: string }>(
    'select identifier, rev from coffer.object where not is_forgotten',
  );
  return revsByIdentifier(rows.map(({ identifier, rev }) => [identifier, Number(rev)]));
}
const rowsOf = ({ rows }: MemoryCopy) =>
  revsByIdentifier([...rows.values()].map(({ identifier, rev }) => [identifier, rev]));
const revsByIdentifier = (entries: readonly (readonly [string, number])[]): Record<string, number> =>
  Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));

const untilEqual = (team: TeamDatabase, ...followers: Follower[]) =>
  eventually(async () => {
    const expected = await serverRows(team);
    for (const { copy } of followers) expect(rowsOf(copy)).toEqual(expected);
  });

/** Replaces the session's key, as a pooler does. */
function asPooler(chunk: Buffer): Buffer {
  const at = chunk.indexOf(Buffer.from([0x4b, 0, 0, 0, 12]));
  const changed = Buffer.from(chunk);
  if (at >= 0) changed.writeInt32BE(chunk.readInt32BE(at + 5) ^ 0x40_00_00, at + 5);
  return changed;
}

const many = (count: number, folder = 'o') =>
  Array.from({ length: count }, (_, n) => ({ identifier: `${folder}/${String(n)}`, state: 0, seen_ms: 1 }));

describe('two copies of a list', () => {
  it('learn of each other’s changes long before they poll again, on their own threads', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [anna, ben].map((member) =>
      follow(member, createMemoryCopy(joiningOf(team, member)), {
        startThread: startTeamThread,
        timesAsFast: 1,
      }),
    ) as [Follower, Follower];
    await a.until('live');
    await b.until('live');
    change(a, { identifier: 'report', state: 0, seen_ms: 1, note: 'for Ben' });
    await eventually(() =>
      expect(b.copy.rows.get('data report')).toMatchObject({ note: 'for Ben', seenBy: anna.id }),
    );
    expect(b.copy.names.get(anna.id)).toBe('anna');
  });

  it('get nothing of the team’s before lost rows are cleared', async () => {
    const team = await createTeam();
    await team.curator.push({ identifier: 'a', state: 0, seen_ms: 1 });
    const anna = await team.join('anna', 2);
    const copy = createMemoryCopy(joiningOf(team, anna));
    const calls: string[] = [];
    copy.onCall = (name) => void calls.push(name);
    let slices = 3;
    copy.clear = async () => {
      calls.push(`clear ${String(slices)}`);
      slices -= 1;
      return slices > 0;
    };
    const a = follow(anna, copy);
    await a.until('live');
    expect(calls.indexOf('clear 1')).toBeGreaterThan(calls.indexOf('clear 3'));
    for (const name of ['fillPage', 'nextPush'])
      expect(calls.indexOf(name)).toBeGreaterThan(calls.indexOf('clear 1'));
  });

  it('fills them in pages, and follows from there', async () => {
    const team = await createTeam();
    const a = join(team, await team.join('anna', 2));
    change(a, ...many(5200));
    await a.until('live');
    await untilEqual(team, a);
    const b = join(team, await team.join('ben', 1));
    await b.until('live');
    await untilEqual(team, a, b);
    expect(b.syncStates.filter(({ kind }) => kind === 'filling')).toEqual([
      { kind: 'filling', rows: 2000 },
      { kind: 'filling', rows: 4000 },
      { kind: 'filling', rows: 5200 },
    ]);
    change(a, { identifier: 'o/17', note: 'late' });
    await eventually(() => expect(b.copy.rows.get('data o/17')?.note).toBe('late'));
    // A person who may only read keeps what the server refuses.
    change(b, { identifier: 'mine' });
    await eventually(() => expect(b.copy.refused.get('mine')).toBe('forbidden'));
  });
});

describe('areas', () => {
  it('that are given are filled, and their rows are dropped when they are taken away', async () => {
    const team = await createTeam();
    const { curator } = team;
    const reports = await curator.call<number>(`coffer.set_area_1($1, 'reports/', null)`, team.list);
    await curator.push({ identifier: 'reports/july', state: 0 }, { identifier: 'plan', state: 0 });
    const anna = await team.join('anna', 1);
    const a = join(team, anna);
    await a.until('live');
    expect(Object.keys(rowsOf(a.copy))).toEqual(['plan']);
    const give = (may: number) =>
      curator.call(`coffer.set_access_1($1, $2, $3::smallint)`, reports, anna.id, may);
    await give(1);
    await eventually(() => expect(Object.keys(rowsOf(a.copy))).toEqual(['plan', 'reports/july']));
    await a.sync.stop();
    // Taken and given back between two reads.
    await give(0);
    await curator.push(
      { identifier: 'reports/july', state: 3, seen_ms: 5, forget: true },
      { identifier: 'reports/august', state: 0 },
    );
    await give(1);
    const again = follow(anna, a.copy);
    await eventually(() => expect(Object.keys(rowsOf(again.copy))).toEqual(['plan', 'reports/august']));
    await give(0);
    await eventually(() => expect(Object.keys(rowsOf(again.copy))).toEqual(['plan']));
    // A kill after storing access, before the fill that follows.
    await again.sync.stop();
    await give(2);
    a.copy.onCall = (name) => {
      if (name === 'beginFill') throw new Error('killed');
    };
    const killed = follow(anna, a.copy);
    await killed.until('asOf', 'local');
    await killed.sync.stop();
    a.copy.onCall = () => undefined;
    const last = follow(anna, a.copy);
    await eventually(() => expect(Object.keys(rowsOf(last.copy))).toEqual(['plan', 'reports/august']));
  });
});

describe('a server', () => {
  it('that stops and starts is reconnected, and gets what waited', async () => {
    const team = await createTeam();
    const proxy = await startTcpProxy(port);
    const a = join(team, await team.join('anna', 2), proxy.port);
    await a.until('live');
    await stop('immediate');
    await a.until('asOf');
    change(a, { identifier: 'offline', state: 0 });
    await eventually(() =>
      expect(a.sync.syncState()).toMatchObject({ kind: 'asOf', due: 1, ms: expect.any(Number) as number }),
    );
    await start();
    await a.until('live');
    expect(Object.keys(rowsOf(a.copy))).toEqual(['offline']);
  });

  it('that is away is tried again after 1 to 60 seconds', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const through = await startTcpProxy(() => 1);
    const waitsOf = ({ waits }: Follower) => eventually(() => expect(waits.length).toBeGreaterThan(6));
    const [last, first] = [() => 1, () => 0].map((random) =>
      follow(anna, createMemoryCopy(joiningOf(team, anna, through.port)), { timesAsFast: 1000, random }),
    ) as [Follower, Follower];
    await Promise.all([last, first].map(waitsOf));
    expect(last.waits.slice(0, 7)).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(new Set(first.waits)).toEqual(new Set([1000]));
  });

  it('is live although the time of its last read cannot be noted', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const copy = createMemoryCopy(joiningOf(team, anna));
    let tries = 0;
    copy.noteRead = async () => {
      tries += 1;
      throw new Error('disk full');
    };
    const a = follow(anna, copy);
    await a.until('live');
    expect([tries, a.syncStates.filter(({ kind }) => kind === 'live').length]).toEqual([1, 1]);
  });

  it('that is away when Coffer starts leaves the list as of its last read', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const before = Date.now();
    const a = join(team, anna);
    await a.until('live');
    const after = Date.now();
    await a.sync.stop();
    await stop('immediate');
    const again = follow(anna, a.copy);
    await again.until('asOf', 'unreachable');
    const { ms } = again.sync.syncState() as { ms: number };
    expect(ms).toBeGreaterThanOrEqual(before);
    expect(ms).toBeLessThanOrEqual(after);
    await start();
  });

  it('that was set back gets what it lost, and everything is read again', { tags: 'all' }, async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [join(team, anna), join(team, ben)];
    change(a, { identifier: 'kept', state: 0 });
    await a.until('live');
    await b.until('live');
    await untilEqual(team, a, b);
    change(a, { identifier: 'lost', state: 0 });
    await eventually(() => expect(Object.keys(rowsOf(b.copy))).toEqual(['kept', 'lost']));
    await Promise.all([a.sync.stop(), b.sync.stop()]);
    // Like a backup of an earlier time. Somebody else pushes first.
    await team.owner
      .query(`delete from coffer.push where rev > 1; delete from coffer.object where rev > 1; delete from coffer.history where rev > 1;
      update coffer.feed set rev = 1; delete from coffer.client`);
    await team.curator.client.query(
      `select coffer.push_1(1, $1, 1, null, $2, '[{"kind": 0, "identifier": "first", "state": 0}]')`,
      [randomUUID(), randomUUID()],
    );
    const [again, other] = [follow(anna, a.copy), follow(ben, b.copy)];
    await again.until('live');
    await other.until('live');
    await untilEqual(team, again, other);
    expect(Object.keys(await serverRows(team))).toEqual(['first', 'kept', 'lost']);
  });

  it('that lost a push whose number was not read yet gets it again', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const a = join(team, anna);
    change(a, { identifier: 'kept', state: 0 });
    await a.until('live');
    a.copy.onCall = (name) => {
      if (name === 'apply') throw new Error('killed');
    };
    change(a, { identifier: 'lost', state: 0 });
    await a.until('asOf', 'local');
    await a.sync.stop();
    await team.owner
      .query(`delete from coffer.push where rev > 1; delete from coffer.object where rev > 1; delete from coffer.history where rev > 1;
      update coffer.feed set rev = 1; update coffer.client set seq = 1, tag = (select tag from coffer.push where rev = 1)`);
    a.copy.onCall = () => undefined;
    const again = follow(anna, a.copy);
    await again.until('live');
    expect(Object.keys(await serverRows(team))).toEqual(['kept', 'lost']);
  });

  it('used by two copies of one data folder takes the changes of both', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const a = join(team, anna);
    change(a, { identifier: 'one', state: 0 });
    await a.until('live');
    await a.sync.stop();
    const twin = a.copy.clone();
    for (const [copy, identifier] of [
      [a.copy, 'two'],
      [twin, 'three'],
    ] as const) {
      copy.change({ identifier, state: 0 });
      await follow(anna, copy).until('live');
    }
    expect(Object.keys(await serverRows(team))).toEqual(['one', 'three', 'two']);
  });

  it('that refuses one change of many takes the others', async () => {
    const team = await createTeam();
    const a = join(team, await team.join('anna', 2));
    change(
      a,
      ...many(9),
      { identifier: 'x'.repeat(2001) },
      { identifier: 'bad', sets_renew: true, renew_by: 'no date' },
    );
    await a.until('live');
    expect(Object.keys(await serverRows(team))).toHaveLength(9);
    expect([...a.copy.refused.values()].toSorted()).toEqual(['22007', '23514']);
  });

  it.each([
    ['whose list somebody holds', '55P03', 'locked'],
    ['whose disk is full', '53100', 'full'],
  ])('still reads %s, which gets changes later', async (_, code, why) => {
    const team = await createTeam();
    const a = join(team, await team.join('anna', 2));
    const b = join(team, await team.join('ben', 2));
    await a.until('live');
    await b.until('live');
    // The real function gives up after 10 seconds; the test has less time.
    await team.owner.query('alter function coffer.push_1 rename to kept_1');
    await team.owner.query(`
      create function coffer.push_1(int, uuid, bigint, uuid, uuid, jsonb) returns jsonb language plpgsql as
      $$ begin raise exception 'held' using errcode = '${code}', detail = 'reports/secret'; end $$`);
    change(a, { identifier: 'mine', state: 0 });
    await a.until('asOf', why);
    expect(a.sync.syncState()).toMatchObject({ due: 1 });
    await team.owner
      .query(`insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by) values (1, 0, 'theirs', 1, 1, 0, 0, 1);
      insert into coffer.push (list, rev, tag, person, client, changes) values (1, 1, gen_random_uuid(), 1, gen_random_uuid(), 1);
      update coffer.feed set rev = 1; select pg_notify('coffer_1', '1')`);
    await eventually(() => expect(Object.keys(rowsOf(a.copy))).toEqual(['theirs']));
    expect(JSON.stringify([...a.syncStates, ...b.syncStates])).not.toContain('secret');
    await team.owner.query('drop function coffer.push_1; alter function coffer.kept_1 rename to push_1');
    await a.until('live');
    await untilEqual(team, a, b);
    expect(Object.keys(rowsOf(b.copy))).toEqual(['mine', 'theirs']);
  });

  it('that ends the session is reconnected; one that refuses the person is left alone', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const proxy = await startTcpProxy(port);
    const a = join(team, anna, proxy.port);
    await a.until('live');
    await team.owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and application_name = 'coffer'",
      [anna.role.name],
    );
    await a.untilSeen('asOf');
    await a.until('live');
    await team.curator.call('coffer.set_person_1($1, $2, $3, true)', team.list, anna.role.name, 'anna');
    await a.until('refused', 'ended');
    const again = join(team, anna, proxy.port);
    await again.until('refused', 'ended');
    await team.owner.query(`alter role ${anna.role.name} password 'another'`);
    const before = proxy.count();
    const wrong = join(team, anna, proxy.port);
    await wrong.until('refused', 'login');
    expect(await wrong.sync.sync()).toEqual({ kind: 'refused', why: 'login' });
    expect(proxy.count()).toBe(before + 1);
    await team.owner.query(`alter role ${anna.role.name} password '${anna.role.password}' nologin`);
    const closed = join(team, anna, proxy.port);
    await closed.until('refused', 'login');
    expect(proxy.count()).toBe(before + 2);
  });

  it('with rows that no Coffer writes: they are counted while it is connected', async () => {
    const team = await createTeam();
    await team.owner.query(`alter table coffer.object drop constraint object_state_check`);
    const insert = (identifier: string, rev: number, state: number) =>
      team.owner
        .query(`insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by) values (1, 0, '${identifier}', ${String(rev)}, 1, ${String(state)}, 0, 1);
      insert into coffer.push (list, rev, tag, person, client, changes) values (1, ${String(rev)}, gen_random_uuid(), 1, gen_random_uuid(), 1);
      update coffer.feed set rev = ${String(rev)}; select pg_notify('coffer_1', '${String(rev)}')`);
    await insert('odd', 1, 7);
    const anna = await team.join('anna', 2);
    const a = join(team, anna);
    await eventually(() => expect(a.sync.syncState()).toEqual({ kind: 'live', leftOut: 1 }));
    await insert('odder', 2, 7);
    await insert('good', 3, 0);
    await eventually(() => expect(a.sync.syncState()).toEqual({ kind: 'live', leftOut: 2 }));
    expect(Object.keys(rowsOf(a.copy))).toEqual(['good']);
    await team.owner.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [
      anna.role.name,
    ]);
    await a.untilSeen('asOf');
    await eventually(() => expect(a.sync.syncState()).toEqual({ kind: 'live', leftOut: 0 }));
  });

  it('behind a pooler, which drops its notices, is asked every 15 seconds', async () => {
    const team = await createTeam();
    const proxy = await startTcpProxy(port, asPooler);
    const a = join(team, await team.join('anna', 1), proxy.port);
    await a.until('live');
    await team.curator.push({ identifier: 'late', state: 0 });
    await eventually(() => expect(Object.keys(rowsOf(a.copy))).toEqual(['late']));
    expect(a.waits).toContain(15_000);
    expect(Math.max(...a.waits)).toBe(15_000);
    const { rows } = await team.owner.query(
      "select from pg_stat_activity where datname = $1 and query like 'listen%'",
      [team.name],
    );
    expect(rows).toEqual([]);
  });

  it('without free connections is away, and one with few is only visited', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const limitAnna = (count: number) =>
      team.owner.query(`alter role ${anna.role.name} connection limit ${String(count)}`);
    const syncState = async () => {
      const sql = `select count(*)::int as count from pg_stat_activity where usename = $1 and application_name = 'coffer'`;
      return (await team.owner.query<{ count: number }>(sql, [anna.role.name])).rows[0]?.count;
    };
    const crowd = await Promise.all(Array.from({ length: 80 }, () => team.connect(team.curator)));
    await limitAnna(0);
    const a = join(team, anna);
    await a.until('asOf', 'busy');
    await limitAnna(-1);
    await a.until('live');
    await eventually(async () => expect(await syncState()).toBe(0));
    change(a, { identifier: 'mine', state: 0, seen_ms: 1 });
    await eventually(async () => expect(Object.keys(await serverRows(team))).toEqual(['mine']));
    await team.curator.push({ identifier: 'late', state: 0 });
    await eventually(() => expect(Object.keys(rowsOf(a.copy))).toEqual(['late', 'mine']));
    await eventually(async () => expect(await syncState()).toBe(0));
    await Promise.all(crowd.map(({ client }) => client.end()));
    // From the next visit on, there is room to stay connected.
    await eventually(async () => expect(await syncState()).toBe(1));
  });

  it('on which the role now belongs to somebody else', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const copy = createMemoryCopy({ ...joiningOf(team, anna), me: anna.id + 1 });
    copy.change({ identifier: 'mine' });
    const a = follow(anna, copy);
    await a.until('refused', 'ended');
    expect(await serverRows(team)).toEqual({});
  });

  it('whose role is dropped', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const a = join(team, anna);
    await a.until('live');
    await team.owner.query(`drop role ${anna.role.name}`);
    await team.owner.query("select pg_notify('coffer_1', 'access')");
    await a.until('refused');
    expect(['login', 'ended', 'noAccess']).toContain((a.sync.syncState() as { why?: string }).why);
  });

  it('that floods with notices is asked at most every 250 ms', async () => {
    const team = await createTeam();
    const a = join(team, await team.join('anna', 2));
    await a.until('live');
    const greetings: number[] = [];
    a.copy.onCall = (name) => void (name === 'stateOf' && greetings.push(performance.now()));
    for (let at = 0; at < 40; at += 1)
      await team.owner.query("select pg_notify('coffer_1', n::text) from generate_series(1, 500) n");
    await eventually(() => expect(greetings.length).toBeGreaterThan(2));
    const gaps = greetings.slice(1).map((atMs, at) => atMs - (greetings[at] ?? 0));
    // The test's clock is 20 times as fast.
    expect(Math.min(...gaps)).toBeGreaterThan(250 / 20 - 2);
  });

  it.each([
    [
      'what may be seen',
      `'{"accessRev": ' || (extract(epoch from clock_timestamp()) * 1000000)::bigint || '}'`,
      'live',
    ],
    [
      'that it does not know its own numbers',
      `case when $2 > 0 then '{"known": false}' else '{}' end`,
      'asOf',
    ],
  ] as const)(
    'that says otherwise at each greeting %s does not keep anybody busy',
    async (_, claim, kind) => {
      const team = await createTeam();
      await team.curator.push({ identifier: 'there', state: 0 });
      await team.owner.query(`alter function coffer.hello_1 rename to real_hello;
      create function coffer.hello_1(int, bigint, uuid) returns jsonb language sql as
      $$ select coffer.real_hello($1, $2, $3) || (${claim})::jsonb $$`);
      const a = join(team, await team.join('anna', 2));
      await a.until(kind, kind === 'asOf' ? 'broken' : undefined);
      expect(Object.keys(rowsOf(a.copy))).toEqual(['there']);
    },
  );

  it('that always has more work for curators does not keep them busy', async () => {
    const team = await createTeam();
    await team.curator.push({ identifier: 'there', state: 0 });
    await team.owner.query(`alter function coffer.hello_1 rename to real_hello;
      create function coffer.hello_1(int, bigint, uuid) returns jsonb language sql as
      $$ select coffer.real_hello($1, $2, $3) || '{"tend": true}' $$;
      create sequence coffer.tended;
      grant usage on sequence coffer.tended to coffer_member;
      drop function coffer.tend_1;
      create function coffer.tend_1(int) returns boolean language sql as $$ select nextval('coffer.tended') > 0 $$`);
    const a = join(team, await team.join('anna', 2));
    await a.until('live');
    expect(Object.keys(rowsOf(a.copy))).toEqual(['there']);
    const tended = async () =>
      Number((await team.owner.query<{ n: string }>('select last_value as n from coffer.tended')).rows[0]?.n);
    const before = await tended();
    // Areas may be made as fast as they are settled: the rest continues later.
    await a.sync.sync();
    expect(await tended()).toBeGreaterThan(before);
  });

  it('that withdraws what it shares, one by one, is read again each time', async () => {
    const team = await createTeam();
    await team.curator.push({ identifier: 'there', state: 0 });
    const a = join(team, await team.join('anna', 2));
    await a.until('live');
    for (const [notes, names] of [
      [false, null],
      [null, false],
    ]) {
      await team.curator.call('coffer.set_list_1($1, null, $2, $3)', team.list, notes, names);
      await a.sync.sync();
    }
    expect(a.syncStates.filter(({ kind }) => kind === 'asOf')).toEqual([]);
    expect(a.syncStates.at(-1)).toMatchObject({ kind: 'live' });
  });

  it('that refuses a value in a greeting is itself at fault', async () => {
    const team = await createTeam();
    await team.owner.query(`drop function coffer.hello_1;
      create function coffer.hello_1(int, bigint, uuid) returns jsonb language plpgsql as
      $$ begin raise exception 'x' using errcode = '22003'; end $$`);
    const a = join(team, await team.join('anna', 2));
    await a.until('asOf', 'fault');
    expect(await serverRows(team)).toEqual({});
  });
});

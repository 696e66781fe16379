import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventually } from '../../../../test-support/eventually.ts';
import { placeOf } from '../../../../test-support/main/team/place.ts';
import { startTcpProxy } from '../../../../test-support/main/team/tcp-proxy.ts';
import {
  startTeamServer,
  type Change,
  type Member,
  type TeamDatabase,
} from '../../../../test-support/main/team/team-database.ts';
import { startTeamThread, valueOf } from '../team-thread.ts';
import type { Answer } from './answering.ts';
import { steps } from '../schema/steps.ts';
import { createTeamServer, type ServerEvent, type TeamServer } from './server.ts';

const { createTeam, shareTeam, port } = startTeamServer();

const credentialsOf = ({ role }: Member) => ({ password: role.password, passphrase: null });

async function open(team: TeamDatabase, member: Member, through = port(), list: number | null = team.list) {
  const events: ServerEvent[] = [];
  const server = createTeamServer((event) => events.push(event));
  const opened = await server.open(placeOf(team, member, through), credentialsOf(member), list);
  onTestFinished(async () => void (await server.close()));
  return { server, events, opened };
}

const problemOf = async (answer: Promise<Answer<unknown>>) => {
  const answered = await answer;
  return 'problem' in answered ? answered.problem : null;
};

const pushOf = (seq: number, before: string | null, client: string, ...changes: Change[]) => ({
  client,
  seq,
  before,
  tag: randomUUID(),
  changes: JSON.stringify(changes.map((change) => ({ kind: 0, ...change }))),
});

async function allRows(server: TeamServer, list: number, upTo: number) {
  return (await valueOf(server.rows(list, 0, upTo))).rows;
}

/** Removes the limits of the tables, as on a server that is not ours. */
const dropChecks = (team: TeamDatabase) =>
  team.owner.query(`do $$ declare c record; begin
    for c in select conname from pg_constraint where conrelid = 'coffer.object'::regclass and contype = 'c' loop
      execute 'alter table coffer.object drop constraint ' || quote_ident(c.conname); end loop; end $$`);

describe('a team’s server', () => {
  it('greets, takes a push, and gives it back row by row', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const { server, events, opened } = await open(team, anna);
    expect(opened).toEqual({ value: true });
    const incarnation = randomUUID();
    const stored = {
      identifier: 'reports/\u202e2026.pdf',
      state: 0,
      seen_ms: 1_790_000_000_000,
      incarnation,
      length_bytes: 9_007_199_254_740_991,
      sha256: 'ab'.repeat(32),
      classification: 'Public',
      source_name: '2026.pdf',
      stored_ms: 1_790_000_000_000,
      parts: { count: 3, manifestBytes: 400, manifestSha256: 'cd'.repeat(32) },
      note: 'first\nsecond',
      sets_renew: true,
      renew_by: '2027-02-01',
    };
    const push = pushOf(1, null, randomUUID(), stored, { identifier: 'b', kind: 1 });
    const pushed = await valueOf(server.push(team.list, push));
    const { tag } = pushed.answer;
    expect(pushed).toEqual({
      answer: {
        rev: 1,
        tag: expect.any(String) as string,
        refused: [[2, 'secrets']],
        kept: [],
        older: [],
        sharesNotes: true,
        epoch: expect.any(String) as string,
      },
      isWritten: true,
    });
    const hello = await valueOf(server.hello(team.list, 1, tag));
    expect(hello).toMatchObject({ me: anna.id, rev: 1, tag, known: true });
    expect(hello?.areas).toEqual([{ area: 1, may: 2, since: expect.any(String) as string }]);
    expect(await valueOf(server.next(team.list, 0))).toEqual({ epoch: hello?.epoch, rev: 1, tag });
    expect(await valueOf(server.next(team.list, 1))).toBeNull();
    const rows = await allRows(server, team.list, 1);
    expect(rows).toEqual([
      {
        kind: 'data',
        identifier: stored.identifier,
        rev: 1,
        area: 1,
        state: 'stored',
        seenMs: stored.seen_ms,
        seenBy: anna.id,
        incarnation,
        lengthBytes: stored.length_bytes,
        sha256: stored.sha256,
        classification: 'Public',
        sourceName: '2026.pdf',
        storedAtMs: stored.stored_ms,
        storedBy: anna.id,
        parts: stored.parts,
        note: stored.note,
        renewBy: stored.renew_by,
        isForgotten: false,
      },
    ]);
    expect(await valueOf(server.fill(team.list, [1], null))).toEqual({
      rows,
      leftOut: 0,
      isLast: true,
      last: { kind: 'data', identifier: stored.identifier },
    });
    expect(await valueOf(server.common(team.list, [{ rev: 1, tag }]))).toBe(1);
    expect(await valueOf(server.people())).toEqual([
      { id: 1, shown: 'Curator', isEnded: false },
      { id: anna.id, shown: 'anna', isEnded: false },
    ]);
    expect(await valueOf(server.lists())).toMatchObject({
      me: anna.id,
      lists: [{ id: team.list, name: 'Files', origin: 'https://files.example', sharesSecrets: false }],
    });
    await eventually(() => expect(events).toEqual([{ kind: 'notified' }]));
  });

  it('tells the history of an object to those who may see it, and leaves out what no Coffer writes', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 0)];
    const stored = {
      identifier: 'a',
      state: 0,
      incarnation: randomUUID(),
      length_bytes: 3,
      sha256: 'ab'.repeat(32),
    };
    await anna.push({ ...stored, seen_ms: 1, stored_ms: 1, classification: 'Public' });
    await team.curator.push({ identifier: 'a', note: 'hers', note_base: '' });
    await team.curator.push({
      ...stored,
      incarnation: randomUUID(),
      seen_ms: 2,
      stored_ms: 2,
      length_bytes: 4,
    });
    await team.owner.query(`insert into coffer.history (list, rev, object, at_ms, person, action, detail)
      select 1, 90, id, 0, 1, 'melted', null::jsonb from coffer.object union all
      select 1, 91, id, 9467085600000000, 1, 'deleted', null from coffer.object union all
      select 1, 92, id, 5, 1, 'noteChanged', '{"before": 7}' from coffer.object`);
    const { server } = await open(team, anna);
    const at = { atMs: expect.any(Number) as number, bytes: null, before: null, now: null };
    expect(await valueOf(server.history(team.list, 'data', 'a'))).toEqual([
      { ...at, person: 1, action: 'noteChanged' },
      {
        ...at,
        person: 1,
        action: 'stored',
        bytes: { lengthBytes: 3, classification: 'Public', storedAtMs: 1, storedBy: anna.id },
      },
      { ...at, person: 1, action: 'noteChanged', before: '', now: 'hers' },
      { ...at, person: anna.id, action: 'stored' },
    ]);
    expect(await valueOf(server.history(team.list, 'secret', 'a'))).toEqual([]);
    const other = await open(team, ben);
    expect(await valueOf(other.server.history(team.list, 'data', 'a'))).toEqual([]);
  });

  it('reads it in pages limited by rows and bytes, each row once', async () => {
    const team = await createTeam();
    await team.owner
      .query(`insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by, note)
      select 1, 0, 'o/' || n, n, 1, 0, 0, 1, case when n > 5050 then repeat('ü', 10000) else '' end
      from generate_series(1, 5300) n`);
    const { server } = await open(team, team.curator);
    const byRev: number[] = [];
    const sizes: number[] = [];
    for (let after = 0, isLast = false; !isLast;) {
      const page = await valueOf(server.rows(team.list, after, 5300));
      sizes.push(page.rows.length);
      byRev.push(...page.rows.map(({ rev }) => rev));
      ({ lastRev: after, isLast } = page);
    }
    expect(byRev).toEqual(Array.from({ length: 5300 }, (_, n) => n + 1));
    // Pages of 4 MB: all small rows, and as many of the 20 KB ones as fit.
    expect(sizes).toEqual([2000, 2000, 1050 + 190, 60]);
    const filled: string[] = [];
    for (let page = await valueOf(server.fill(team.list, [1], null)); ;) {
      filled.push(...page.rows.map(({ identifier }) => identifier));
      if (page.isLast) break;
      page = await valueOf(server.fill(team.list, [1], page.last));
    }
    expect(filled).toEqual(filled.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(new Set(filled).size).toBe(5300);
    expect(await valueOf(server.fill(team.list, [2], null))).toMatchObject({ rows: [], isLast: true });
  });

  it('with rows that no Coffer writes: they are left out and counted, even at the end of a page', async () => {
    const team = await createTeam();
    const good = { kind: '0', identifier: "'good'", seen_ms: '0', state: '0', note: "''", rest: '' };
    const rows = [
      good,
      { ...good, identifier: "'..'" },
      { ...good, identifier: "'long'", note: "repeat('ü', 10001)" },
      { ...good, identifier: "'late'", seen_ms: '9467085600000000' },
      { ...good, identifier: "'old'", state: '1' },
      { ...good, identifier: "'parts'", rest: `{"count": "many"}` },
      { ...good, identifier: "'rtl' || U&'\\202e' || '.exe'" },
      { ...good, identifier: "'zero' || repeat('x', 1997)" },
    ];
    await dropChecks(team);
    for (const [at, row] of rows.entries())
      await team.owner.query(
        `insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by, note, parts)
        values (1, ${row.kind}, ${row.identifier}, ${String(at + 1)}, 1, ${row.state}, ${row.seen_ms}, 1, ${row.note}, $1)`,
        [row.rest === '' ? null : row.rest],
      );
    const { server } = await open(team, team.curator);
    const page = await valueOf(server.rows(team.list, 0, 8));
    expect(page.rows.map(({ identifier }) => identifier)).toEqual(['good', 'rtl\u202e.exe']);
    expect(page).toMatchObject({ leftOut: 6, isLast: true, lastRev: 8 });
    // The last identifier is longer than any that the next page could be asked for.
    expect(await problemOf(server.fill(team.list, [1], null))).toEqual({ why: 'broken', code: '' });
    await team.owner.query("update coffer.object set identifier = '~..' where identifier like 'zero%'");
    await team.owner.query(
      "update coffer.object set identifier = '~' || U&'\\202e', state = 7 where rev = 8",
    );
    expect(await valueOf(server.fill(team.list, [1], null))).toMatchObject({
      leftOut: 6,
      last: { identifier: '~\u202e' },
    });
  });

  it('with a row larger than a page: it is left out and counted, and the next ones come', async () => {
    const team = await createTeam();
    await dropChecks(team);
    await team.owner
      .query(`insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by, note)
      select 1, 0, 'o/' || n, n, 1, 0, 0, 1, case when n = 1 then repeat('x', 10000000) else '' end
      from generate_series(1, 3) n`);
    const { server } = await open(team, team.curator);
    const first = { rows: [], leftOut: 1, isLast: false };
    const next = { rows: [{ identifier: 'o/2' }, { identifier: 'o/3' }], leftOut: 0, isLast: true };
    expect(await valueOf(server.rows(team.list, 0, 3))).toEqual({ ...first, lastRev: 1 });
    expect(await valueOf(server.rows(team.list, 1, 3))).toMatchObject(next);
    const last = { kind: 'data', identifier: 'o/1' } as const;
    expect(await valueOf(server.fill(team.list, [1], null))).toEqual({ ...first, last });
    expect(await valueOf(server.fill(team.list, [1], last))).toMatchObject(next);
  });

  it('removes from names what would reverse the text after them', async () => {
    const team = await createTeam();
    await team.owner.query("update coffer.person set shown = U&'Anna\\202e'");
    await team.owner.query("update coffer.list set name = U&'Files\\202e\\000aall'");
    const { server } = await open(team, team.curator);
    const people = [{ id: 1, shown: 'Anna\ufffd' }];
    expect(await valueOf(server.people())).toMatchObject(people);
    expect(await valueOf(server.lists())).toMatchObject({ lists: [{ name: 'Files\ufffd\ufffdall' }] });
    expect(await valueOf(server.curation(team.list))).toMatchObject({
      done: { name: 'Files\ufffd\ufffdall', people },
    });
  });

  it('uses it without regard to environment variables', async () => {
    const team = await shareTeam();
    const names = [
      'PGHOST',
      'PGPORT',
      'PGUSER',
      'PGDATABASE',
      'PGPASSWORD',
      'PGPASSFILE',
      'PGSERVICE',
      'PGSERVICEFILE',
    ];
    names.push(
      'PGOPTIONS',
      'PGSSLMODE',
      'PGAPPNAME',
      'PGCLIENTENCODING',
      'PGREPLICATION',
      'PGSSLNEGOTIATION',
    );
    names.push('PGCLIENT_ENCODING', 'PGBINARY', 'PGCONNECT_TIMEOUT', 'NODE_PG_FORCE_NATIVE');
    for (const name of names) vi.stubEnv(name, 'nonsense');
    onTestFinished(() => void vi.unstubAllEnvs());
    // A thread started before would not have the variables.
    const onWorker = () => undefined;
    process.on('worker', onWorker);
    onTestFinished(() => void process.off('worker', onWorker));
    const thread = startTeamThread(() => undefined);
    onTestFinished(() => thread.terminate());
    const place = placeOf(team, team.curator, port());
    expect(await thread.server.open(place, credentialsOf(team.curator), team.list)).toEqual({ value: true });
    const { rows } = await team.owner.query<{ application_name: string }>(
      "select application_name from pg_stat_activity where usename = $1 and application_name <> ''",
      [team.curator.role.name],
    );
    expect(rows).toEqual([{ application_name: 'coffer' }]);
    // Not even if no password is known.
    const withoutPassword = { password: null, passphrase: null };
    vi.stubEnv('PGPASSWORD', team.curator.role.password);
    expect(await problemOf(thread.server.open(place, withoutPassword, team.list))).toEqual({
      why: 'login',
      code: '',
    });
  });
});

describe('a push', () => {
  it('whose connection is cut after any byte is done once when it is sent again', async () => {
    const team = await createTeam();
    const proxy = await startTcpProxy(port);
    const client = randomUUID();
    // Without notices, which would count as well.
    const through = () => open(team, team.curator, proxy.port, null);
    const { server: direct } = await open(team, team.curator);
    // The size of one push, in each direction.
    const { server: first } = await through();
    const before = { ...proxy.passed };
    const start = pushOf(1, null, client, { identifier: 'cut', note: '0' });
    await valueOf(first.push(team.list, start));
    const bytes = { up: proxy.passed.up - before.up, down: proxy.passed.down - before.down };
    let { tag } = start;
    for (const direction of ['up', 'down'] as const) {
      for (let at = 1; at <= bytes[direction]; at += 29) {
        const seq = (await valueOf(direct.hello(team.list, 0, null)))?.rev ?? 0;
        const push = pushOf(seq + 1, tag, client, {
          identifier: 'cut',
          note: String(seq),
          note_base: String(seq - 1),
        });
        const { server } = await through();
        proxy.cutAfter(direction, at, at % 2 === 0 ? 'reset' : 'close');
        // The answer may be complete within what passes.
        const { why } = { why: 'none', ...(await problemOf(server.push(team.list, push))) };
        expect(direction === 'up' ? ['closed'] : ['closed', 'none']).toContain(why);
        const again = await valueOf(direct.push(team.list, push));
        expect(again.answer).toEqual({
          rev: seq + 1,
          tag: expect.any(String) as string,
          refused: [],
          kept: [],
          older: [],
          sharesNotes: true,
          epoch: expect.any(String) as string,
        });
        ({ tag } = push);
      }
    }
    const [row] = await allRows(direct, team.list, 1_000_000);
    expect(row?.note).toBe(String((row?.rev ?? 0) - 1));
  });

  it('that the server refuses as a whole reports whose fault it is', async () => {
    const team = await createTeam();
    const { server } = await open(team, team.curator);
    const client = randomUUID();
    const one = pushOf(1, null, client, { identifier: 'a' });
    const twice = pushOf(1, null, client, { identifier: 'a' }, { identifier: 'a' });
    expect(await problemOf(server.push(team.list, twice))).toEqual({ why: 'badChange', code: '21000' });
    const bad = pushOf(1, null, client, { identifier: 'a', renew_by: 'no date', sets_renew: true });
    expect(await problemOf(server.push(team.list, bad))).toMatchObject({ why: 'badChange' });
    await valueOf(server.push(team.list, one));
    expect(await problemOf(server.push(team.list, { ...one, tag: randomUUID() }))).toEqual({
      why: 'otherCopy',
      code: '55000',
    });
    const elsewhere = pushOf(1, null, randomUUID(), { identifier: 'a' });
    expect(await valueOf(server.push(team.list + 1, elsewhere))).toMatchObject({
      answer: { refused: [[1, 'forbidden']] },
      isWritten: false,
    });
  });
});

describe('a session', () => {
  it('that the server ends while nothing is asked is told', async () => {
    const team = await createTeam();
    const { server, events } = await open(team, team.curator);
    await team.owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1 and application_name = 'coffer'",
      [team.curator.role.name],
    );
    await eventually(() =>
      expect(events).toEqual([{ kind: 'lost', problem: { why: 'closed', code: '57P01' } }]),
    );
    expect(await problemOf(server.hello(team.list, 0, null))).toMatchObject({ why: 'closed' });
  });

  it('whose connection is half open is given up after 15 seconds without a due answer', async () => {
    const team = await shareTeam();
    const proxy = await startTcpProxy(port);
    const { server } = await open(team, team.curator, proxy.port);
    proxy.silence();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    let problem: unknown;
    const asked = problemOf(server.hello(team.list, 0, null)).then((found) => (problem = found));
    await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(14_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(problem).toBeUndefined();
    vi.advanceTimersByTime(1001);
    await asked;
    expect(problem).toEqual({ why: 'silent', code: '' });
  });

  it('of a wrong password, of an unknown database and of somebody who is no member', async () => {
    const team = await shareTeam();
    const server = createTeamServer(() => undefined);
    const place = placeOf(team, team.curator, port());
    const wrong = { password: 'wrong', passphrase: null };
    expect(await problemOf(server.open(place, wrong, 1))).toEqual({ why: 'login', code: '28P01' });
    const elsewhere = { ...place, database: 'postgres' };
    expect(await problemOf(server.open(elsewhere, credentialsOf(team.curator), 1))).toMatchObject({
      why: 'noTeam',
    });
    const nobody = await team.join('nobody', 0);
    const otherList = await open(team, nobody);
    expect(await valueOf(otherList.server.hello(77, 0, null))).toMatchObject({ known: true, areas: [] });
    await team.curator.call('coffer.set_person_1($1, $2, null, true)', team.list, nobody.role.name);
    expect(await valueOf(otherList.server.hello(team.list, 0, null))).toBeNull();
  });

  it('in a schema of other steps, or of an older Coffer', async () => {
    const team = await createTeam();
    const server = createTeamServer(() => undefined);
    const place = placeOf(team, team.curator, port());
    const opening = () => server.open(place, credentialsOf(team.curator), 1);
    await team.owner.query("insert into coffer.step (number, digest) values ($1, 'newer')", [
      steps.length + 1,
    ]);
    expect(await opening()).toEqual({ value: true });
    await team.owner.query('drop function coffer.hello_1');
    expect(await problemOf(server.hello(1, 0, null))).toMatchObject({ why: 'newer' });
    await team.owner.query('delete from coffer.step where number > 1');
    expect(await problemOf(opening())).toMatchObject({ why: 'oldSchema' });
    await team.owner.query("update coffer.step set digest = 'other' where number = 1");
    expect(await problemOf(opening())).toMatchObject({ why: 'otherSchema' });
  });

  it('with a notice for each of a flood of them until the next greeting', async () => {
    const team = await createTeam();
    const { server, events } = await open(team, team.curator);
    const flood = `select pg_notify('coffer_1', n::text) from generate_series(1, 2000) n`;
    await team.owner.query(flood);
    await valueOf(server.people());
    expect(events).toEqual([{ kind: 'notified' }]);
    await valueOf(server.hello(1, 0, null));
    await team.owner.query(flood);
    await eventually(() => expect(events).toHaveLength(2));
  });
});

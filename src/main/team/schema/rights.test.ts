import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  readable,
  readableHistory,
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../../test-support/main/team/team-database.ts';

const { createTeam, shareTeam } = startTeamServer();

const actors = ['reader', 'contributor', 'curator', 'ended', 'outsider', 'stranger'] as const;
type Actor = (typeof actors)[number];

/** An outsider has a member's role but is not entered as a person; a stranger's role is not a member at all. */
async function everybody(team: TeamDatabase): Promise<Record<Actor, Member>> {
  const ended = await team.join('ended', 2);
  await team.curator.call('coffer.set_person_1($1, $2, $3, true)', team.list, ended.role.name, 'Ended');
  const outsider = await team.connect({
    id: 0,
    role: await createRole(team, 'outsider', 'in role coffer_member'),
  });
  // Without the right to connect, the stranger could not be tested.
  const role = await createRole(team, 'stranger', '');
  await team.owner.query(`grant connect on database ${team.name} to ${role.name}`);
  const stranger = await team.connect({ id: 0, role });
  return {
    reader: await team.join('reader', 1),
    contributor: await team.join('contributor', 2),
    curator: team.curator,
    ended,
    outsider,
    stranger,
  };
}

async function createRole(team: TeamDatabase, shown: string, more: string) {
  const role = { name: `${shown}_${team.name}`, password: 'secret' };
  await team.owner.query(`create role ${role.name} login password 'secret' ${more}`);
  onTestFinished(async () => {
    await team.owner.query(`drop owned by ${role.name}; drop role ${role.name}`);
  });
  return role;
}

const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (cause: { code?: string }) => cause.code,
  );

describe('every role', () => {
  it('may read and write no table of the list', async () => {
    const team = await createTeam();
    const people = await everybody(team);
    const version = await team.curator.call<number>("current_setting('server_version_num')::int");
    const privileges = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'];
    if (version >= 170_000) privileges.push('MAINTAIN');
    const { rows } = await team.owner.query<{ table: string; role: string; may: string[] | null }>(
      `select c.relname as table, r.rolname as role, array_agg(p) filter (where has_table_privilege(r.oid, c.oid, p)) as may
       from pg_class c, pg_roles r, unnest($2::text[]) p
       where c.relnamespace = 'coffer'::regnamespace and c.relkind = 'r' and r.rolname = any ($1)
       group by 1, 2`,
      [actors.map((actor) => people[actor].role.name), privileges],
    );
    expect(rows).toHaveLength(12 * actors.length);
    for (const { table, role, may } of rows) {
      expect([table, role, may]).toEqual([
        table,
        role,
        table === 'step' && role !== people.stranger.role.name ? ['SELECT'] : null,
      ]);
    }
  });

  it('reads only the rows that its access covers', async () => {
    const team = await createTeam();
    const people = await everybody(team);
    await people.contributor.push({ identifier: 'a', state: 0, seen_ms: 1 });
    const seen = async (actor: Actor) => {
      const counts = [];
      for (const [what, from] of [
        ['*', readable.objects],
        ['*', readableHistory],
        ['*', 'jsonb_array_elements(coffer.people_1())'],
        ['*', 'jsonb_array_elements(coffer.lists_1())'],
      ]) {
        counts.push(
          await people[actor]
            .call<string>(`(select count(${what}) from ${from})`)
            .catch((cause: { code: string }) => cause.code),
        );
      }
      return counts;
    };
    expect(await seen('reader')).toEqual(['1', '1', '4', '1']);
    expect(await seen('curator')).toEqual(['1', '1', '4', '1']);
    expect(await seen('ended')).toEqual(['0', '0', '0', '0']);
    expect(await seen('outsider')).toEqual(['0', '0', '0', '0']);
    expect(await seen('stranger')).toEqual(['42501', '42501', '42501', '42501']);
  });

  it('may call only its own functions', async () => {
    const team = await createTeam();
    const people = await everybody(team);
    const [denied, done] = ['42501', 'done'];
    const forMembers = {
      reader: done,
      contributor: done,
      curator: done,
      ended: done,
      outsider: done,
      stranger: denied,
    };
    const byNobody = Object.fromEntries(actors.map((actor) => [actor, denied]));
    const byCurators = { ...byNobody, curator: done };
    const calls: Record<string, [call: string, Record<string, string | undefined>]> = {
      me: ['me()', forMembers],
      my_since: ['my_since()', forMembers],
      my_lists: ['my_lists()', forMembers],
      my_areas: ['my_areas(1::smallint)', forMembers],
      hello_1: [`hello_1(1, 0, null)`, forMembers],
      next_1: [`next_1(1, 0)`, forMembers],
      common_1: [`common_1(1, '{}', '{}')`, forMembers],
      own_password_1: ['own_password_1()', forMembers],
      areas_1: [`areas_1(1)`, forMembers],
      push_1: [
        `push_1(1, gen_random_uuid(), 1, null, gen_random_uuid(), '[{"kind": 0, "identifier": "b"}]')`,
        { ...forMembers, ended: denied, outsider: denied },
      ],
      lists_1: ['lists_1()', forMembers],
      people_1: ['people_1()', forMembers],
      person_1: ['person_1(1, null)', forMembers],
      rows_1: ['rows_1(1, 0, 9, 9)', forMembers],
      fill_1: ["fill_1(1, '{1}', 0::smallint, '', 9)", forMembers],
      moved_1: ['moved_1(1, 0, 9, 9)', forMembers],
      history_1: ["history_1(1, 0::smallint, 'a', 9)", forMembers],
      curation_of: ['curation_of(1)', byNobody],
      may_curate: ['may_curate(1)', byNobody],
      know: ['know()', byNobody],
      set_area_1: [`set_area_1(1, gen_random_uuid()::text, null)`, byCurators],
      set_access_1: ['set_access_1(1, 1, 3::smallint)', byCurators],
      remove_area_1: ['remove_area_1(coffer.set_area_1(1, gen_random_uuid()::text, null))', byCurators],
      curation_1: ['curation_1(1)', byCurators],
      tend_1: ['tend_1(1)', forMembers],
      set_person_1: [`set_person_1(1, 'somebody', 'Somebody', false)`, byCurators],
      set_list_1: ['set_list_1(1, false, true, true)', byCurators],
      new_epoch_1: ['new_epoch_1(1)', byCurators],
      create_list_1: [`create_list_1('x', 'y', '/', '@', 'z', 'Z')`, byNobody],
      name_curator_1: [`name_curator_1(1, 'z', 'Z', false)`, byNobody],
      settle_areas: ['settle_areas(1, 0)', byNobody],
      trim_list: ['trim_list(1)', byNobody],
      require_curator: ['require_curator(1)', byNobody],
      may_write: ['may_write(1)', byNobody],
      apply_push: ["apply_push(1, gen_random_uuid(), 1, null, gen_random_uuid(), '[]')", byNobody],
      area_of: [`area_of(1, 'a', null)`, byNobody],
      curators: ['curators(1)', byNobody],
      curate: ['curate(1)', byNobody],
      access_changed: ['access_changed(1)', byNobody],
    };
    const { rows } = await team.owner.query<{ name: string }>(
      "select proname as name from pg_proc where pronamespace = 'coffer'::regnamespace",
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
    for (const [name, [call, expected]] of Object.entries(calls)) {
      const outcomes: Record<string, unknown> = {};
      for (const actor of actors)
        outcomes[actor] = await outcomeOf(people[actor].rows(`select coffer.${call}`));
      expect([name, outcomes]).toEqual([name, expected]);
    }
    expect(await people.ended.call('coffer.me()')).toBeNull();
    expect(
      await people.ended.rows(
        'select coffer.hello_1(1, 0, null) as answer where coffer.hello_1(1, 0, null) is not null',
      ),
    ).toEqual([]);
    expect((await people.reader.push({ identifier: 'c', state: 0 })).refused).toEqual([[1, 'forbidden']]);
  });

  it('stays the same person after SET ROLE', async () => {
    const team = await createTeam();
    const { reader } = await everybody(team);
    await reader.client.query('set role coffer_member');
    expect(await reader.call('coffer.me()')).toBe(reader.id);
    expect((await reader.push({ identifier: 'c' })).refused).toEqual([[1, 'forbidden']]);
  });
});

describe('areas', () => {
  it('nothing of another area reaches a member, and those who may read an area learn of rows that leave it', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 0);
    const { curator, list } = team;
    const reports = await curator.call<number>('coffer.set_area_1($1, $2, null)', list, 'reports/');
    const confidential = await curator.call<number>(
      'coffer.set_area_1($1, $2, $3)',
      list,
      '',
      'confidential',
    );
    await curator.call('coffer.set_access_1($1, $2, 2::smallint)', reports, anna.id);
    await curator.push(
      { identifier: 'private/plan', state: 0 },
      { identifier: 'reports/july', state: 0, note: 'hello' },
      { identifier: 'reports/board', state: 0, classification: 'confidential' },
    );
    const everything = async () =>
      JSON.stringify([
        await anna.rows(`select * from ${readable.objects} order by id`),
        await anna.rows(`select * from ${readableHistory}`),
        await anna.rows(`select * from ${readable.departures}`),
        await anna.call('coffer.hello_1($1, 0, null)', list),
      ]);
    expect(await everything()).toContain('reports/july');
    expect(await everything()).not.toMatch(/plan|board/);
    // A confidential row is not hers, although it lies in her folder; and she cannot move one into it, nor out of it.
    expect(
      (
        await anna.push(
          { identifier: 'private/plan', state: 5, seen_ms: Date.now() },
          { identifier: 'reports/board', state: 5, seen_ms: Date.now() },
          { identifier: 'reports/july', sets_class: true, class_base: null, classification: 'confidential' },
        )
      ).refused,
    ).toEqual([
      [1, 'forbidden'],
      [2, 'forbidden'],
      [3, 'forbidden'],
    ]);

    await curator.push({
      identifier: 'reports/july',
      sets_class: true,
      class_base: null,
      classification: 'confidential',
    });
    expect(await anna.rows(`select identifier, area from ${readable.departures}`)).toEqual([
      { identifier: 'reports/july', area: reports },
    ]);
    expect(await anna.rows(`select 1 from ${readable.objects}`)).toEqual([]);
    expect(
      await curator.rows(`select area from ${readable.objects} where identifier = $1`, 'reports/july'),
    ).toEqual([{ area: confidential }]);
  });

  it('the history of an object moves with it, and who comes later does not learn what has left', async () => {
    const team = await createTeam();
    const { curator, list } = team;
    const [anna, auditor] = [await team.join('anna', 1), await team.join('auditor', 0)];
    await curator.push({ identifier: 'merger', note: 'of before' });
    const area = await curator.call<number>('coffer.set_area_1($1, $2, $3)', list, '', 'confidential');
    await curator.call('coffer.set_access_1($1, $2, 1::smallint)', area, auditor.id);
    await curator.push({ identifier: 'merger', sets_class: true, classification: 'confidential' });
    const ben = await team.join('ben', 1);
    const told = async (member: Member) => [
      (await member.rows(`select 1 from ${readableHistory}`)).length,
      (await member.rows(`select 1 from ${readable.departures}`)).length,
    ];
    expect(await told(auditor)).toEqual([3, 0]);
    expect(await told(anna)).toEqual([0, 1]);
    expect(await told(ben)).toEqual([0, 0]);
  });

  it('a person without access to any area of a list does not see the list', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 1), await team.join('ben', 0)];
    expect(await anna.call('coffer.lists_1()')).toMatchObject([{ name: 'Files' }]);
    expect(await ben.call('coffer.lists_1()')).toEqual([]);
  });

  it('a new area gets the objects that belong to it, each with its own number', async () => {
    const team = await createTeam();
    const { curator, list } = team;
    await curator.push({ identifier: 'a/1' }, { identifier: 'b/1' }, { identifier: 'a/2' });
    const area = await curator.call<number>('coffer.set_area_1($1, $2, null)', list, 'a/');
    while (await curator.call<boolean>('coffer.tend_1($1)', list));
    expect(
      await curator.rows(
        `select identifier, rev, area = $1 as is_in from ${readable.objects} order by rev`,
        area,
      ),
    ).toEqual([
      { identifier: 'b/1', rev: '2', is_in: false },
      { identifier: 'a/1', rev: '4', is_in: true },
      { identifier: 'a/2', rev: '5', is_in: true },
    ]);
    expect(await curator.call<{ rev: number }>('coffer.hello_1($1, 0, null)', list)).toMatchObject({
      rev: 5,
      known: true,
    });
  });

  it('access that was taken and given back has another `since`', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 1);
    type Hello = { areas: Record<string, [number, string]>; accessRev: number };
    const hello = () => anna.call<Hello>('coffer.hello_1($1, 0, null)', team.list);
    const before = await hello();
    await team.curator.call('coffer.set_access_1(1, $1, 2::smallint)', anna.id);
    expect((await hello()).areas).toEqual({ 1: [2, before.areas[1]?.[1]] });
    await team.curator.call('coffer.set_access_1(1, $1, 0::smallint)', anna.id);
    expect((await hello()).areas).toBeNull();
    await team.curator.call('coffer.set_access_1(1, $1, 1::smallint)', anna.id);
    const after = await hello();
    expect(after.areas[1]?.[0]).toBe(1);
    expect(after.areas[1]?.[1]).not.toBe(before.areas[1]?.[1]);
    expect(after.accessRev).toBeGreaterThan(before.accessRev);
  });
});

describe('curators', () => {
  it('the last one can neither leave nor be ended', async () => {
    const { curator, list, join } = await createTeam();
    const other = await join('other', 3);
    const end = () =>
      curator.call('coffer.set_person_1($1, $2, $3, true)', list, curator.role.name, 'Curator');
    await other.call('coffer.set_access_1(1, $1, 1::smallint)', other.id);
    expect(await outcomeOf(end())).toBe('23000');
    expect(await outcomeOf(curator.call('coffer.set_access_1(1, $1, 0::smallint)', curator.id))).toBe(
      '23000',
    );
    // A curator who was ended does not count.
    await curator.call('coffer.set_access_1(1, $1, 3::smallint)', other.id);
    await curator.call('coffer.set_person_1($1, $2, $3, true)', list, other.role.name, 'Other');
    expect(await outcomeOf(end())).toBe('23000');
  });

  it('whose access is taken while they wait for the list are refused, as are members who are ended', async () => {
    const { curator, owner, list, join } = await createTeam();
    const [other, anna] = [await join('other', 3), await join('anna', 2)];
    await curator.client.query('begin');
    await curator.call('coffer.set_access_1(1, $1, 0::smallint)', other.id);
    await curator.call('coffer.set_person_1($1, $2, $3, true)', list, anna.role.name, 'Anna');
    const late = [
      outcomeOf(other.call('coffer.set_access_1(1, $1, 3::smallint)', other.id)),
      outcomeOf(anna.push({ identifier: 'a' })),
    ];
    await expect
      .poll(async () => {
        const { rows } = await owner.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length;
      })
      .toBe(2);
    await curator.client.query('commit');
    expect(await Promise.all(late)).toEqual(['42501', '42501']);
  });

  it('of one list cannot end a person of another', async () => {
    const { curator, owner, list, join } = await createTeam();
    const anna = await join('anna', 2);
    const ben = await join('ben', 0);
    await owner.query('select coffer.create_list_1($1, $2, $3, $4, $5, $6)', [
      'Other',
      'https://x',
      '/',
      '@',
      ben.role.name,
      'ben',
    ]);
    expect(await outcomeOf(ben.call('coffer.set_person_1(2, $1, $2, true)', anna.role.name, 'anna'))).toBe(
      '42501',
    );
    expect(await anna.call('coffer.me()')).toBe(anna.id);
    await curator.call('coffer.set_person_1($1, $2, $3, true)', list, anna.role.name, 'anna');
    expect(await anna.call('coffer.me()')).toBeNull();
  });

  it('who stop sharing notes, names or secrets remove them from the server', async () => {
    const { curator, list } = await createTeam();
    await curator.call('coffer.set_list_1($1, true, true, true)', list);
    await curator.push(
      { identifier: 'a', note: 'first', source_name: 'a.txt' },
      { identifier: 'password', kind: 1, state: 0 },
    );
    await curator.call('coffer.set_list_1($1, false, false, false)', list);
    const answer = await curator.push(
      { identifier: 'a', note: 'second', source_name: 'b.txt' },
      { identifier: 'other', kind: 1 },
    );
    expect(answer.refused).toEqual([[2, 'secrets']]);
    // Notes are not shared, so none is kept apart.
    expect((await curator.push({ identifier: 'a', note: 'third', note_base: 'first' })).kept).toEqual([]);
    const left = JSON.stringify([
      await curator.rows(`select * from ${readable.objects}`),
      await curator.rows(`select * from ${readableHistory}`),
    ]);
    expect(left).not.toMatch(/first|second|third|txt|password/);
  });
});

describe('limits', () => {
  it.each([
    ['identifier', { identifier: 'é'.repeat(1001) }, '23514'],
    ['no identifier', { identifier: '' }, '23514'],
    ['note', { identifier: 'a', note: 'x'.repeat(10_001) }, '23514'],
    ['moment', { identifier: 'a', seen_ms: -1 }, '23514'],
    ['length', { identifier: 'a', length_bytes: -1 }, '23514'],
    ['digest', { identifier: 'a', sha256: 'ab' }, '23514'],
    ['digest that is none', { identifier: 'a', sha256: 'xyz' }, '22023'],
    ['NUL', { identifier: 'a\0b' }, '22P05'],
    ['lone surrogate', { identifier: 'a\ud800b' }, '22P02'],
    ['state', { identifier: 'a', state: 1 }, '23514'],
    ['length in parts below 0', { identifier: 'a', parts: { manifestBytes: -1 } }, '23514'],
    ['day that is none', { identifier: 'a', sets_renew: true, renew_by: 'infinity' }, '23514'],
    ['day too far', { identifier: 'a', sets_renew: true, renew_by: '10000-01-01' }, '23514'],
    ['parts', { identifier: 'a', parts: { text: randomUUID().repeat(12) } }, '23514'],
  ])('%s', async (_what, change, code) => {
    const { curator } = await shareTeam();
    expect(await outcomeOf(curator.push(change))).toBe(code);
  });

  it('a batch', async () => {
    const { curator } = await shareTeam();
    const many = Array.from({ length: 1001 }, (_, at) => ({ identifier: String(at) }));
    expect(await outcomeOf(curator.push(...many))).toBe('22023');
    expect(await outcomeOf(curator.push())).toBe('22023');
    const nothing = 'coffer.push_1(1, gen_random_uuid(), 1, null, gen_random_uuid(), null)';
    expect(await outcomeOf(curator.call(nothing))).toBe('22023');
    const large = Array.from({ length: 500 }, (_, at) => ({
      identifier: String(at),
      note: 'x'.repeat(9000),
    }));
    expect(await outcomeOf(curator.push(...large))).toBe('22023');
  });

  it('moments are never in the future', async () => {
    const { curator } = await shareTeam();
    await curator.push({
      identifier: 'future',
      state: 0,
      seen_ms: 8_000_000_000_000_000,
      stored_ms: 8e15,
      incarnation: randomUUID(),
    });
    const [row] = await curator.rows<{ seen_ms: string; stored_ms: string }>(
      `select seen_ms, stored_ms from ${readable.objects} where identifier = 'future'`,
    );
    expect(Number(row?.seen_ms)).toBeLessThan(Date.now() + 60_000);
    expect(Number(row?.stored_ms)).toBeLessThan(Date.now() + 60_000);
  });
});

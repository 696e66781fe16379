import { describe, expect, it } from 'vitest';
import {
  readable,
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../../test-support/main/team/team-database.ts';

const { createTeam } = startTeamServer();

/** Adds objects in the area of the whole list, as if pushed: 'in/1', 'out/2', 'in/3', … */
async function fill({ owner, list }: TeamDatabase, count: number): Promise<void> {
  await owner.query(
    `insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by)
     select $1, 0, case when n % 2 = 1 then 'in/' else 'out/' end || n, n, 1, 0, 0, 1 from generate_series(1, $2::int) n`,
    [list, count],
  );
  await owner.query('update coffer.feed set rev = $2 where list = $1', [list, count]);
  await owner.query(
    'insert into coffer.push (list, rev, tag, person, client, changes) values ($1, $2, gen_random_uuid(), 1, gen_random_uuid(), 1)',
    [list, count],
  );
}

const makeArea = ({ curator, list }: TeamDatabase, prefix: string, access: [number, number][] = []) =>
  curator.call<number>('coffer.set_area_1($1, $2, null, $3)', list, prefix, JSON.stringify(access));

const tend = ({ list }: TeamDatabase, member: Member) => member.call<boolean>('coffer.tend_1($1)', list);

async function tendToTheEnd(team: TeamDatabase, member: Member): Promise<number> {
  let count = 0;
  while (await tend(team, member)) count += 1;
  return count;
}

const countOf = async ({ owner }: TeamDatabase, area: number) =>
  Number(
    (await owner.query<{ count: string }>('select count(*) from coffer.object where area = $1', [area]))
      .rows[0]?.count,
  );

const wants = async ({ list }: TeamDatabase, member: Member) =>
  (await member.call<{ tend: boolean }>('coffer.hello_1($1, 0, null)', list)).tend;

/** The number of objects that one call looks at. */
const pageSize = 20_000;

/** Makes pages a thousandth of their size, for tests with correspondingly fewer objects. */
const makePagesSmall = ({ owner }: TeamDatabase) =>
  owner.query(`do $$ begin
    assert pg_get_functiondef('coffer.settle_areas'::regproc) like '%limit ${String(pageSize)}\n%';
    execute replace(pg_get_functiondef('coffer.settle_areas'::regproc), 'limit ${String(pageSize)}', 'limit ${String(pageSize / 1000)}');
  end $$`);

/** Settles two pages and a quarter, with half of the objects in 'in/'. */
async function settleBesideKilled(team: TeamDatabase, page: number): Promise<void> {
  const other = await team.join('other', 3);
  const anna = await team.join('anna', 2);
  await fill(team, page * 2.25);
  expect(await wants(team, team.curator)).toBe(false);
  const area = await makeArea(team, 'in/');
  expect([await wants(team, other), await wants(team, anna)]).toEqual([true, false]);
  expect(await tend(team, anna)).toBe(false);

  // Killed within the second page: the first is complete, and nothing of the second is there.
  expect(await tend(team, team.curator)).toBe(true);
  await team.curator.client.query('begin');
  await tend(team, team.curator);
  const { rows } = await team.curator.client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await team.owner.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await expect.poll(() => countOf(team, area)).toBe(page / 2);
  expect((await other.call<{ unsettled: number }>('coffer.curation_1($1)', team.list)).unsettled).toBe(
    page * 1.25,
  );

  // An area is made meanwhile: settling starts over, and nothing is left out.
  await other.call('coffer.set_area_1($1, $2, null)', team.list, 'in/1');
  expect(await tendToTheEnd(team, other)).toBe(4);
  expect(await wants(team, other)).toBe(false);
  const wrong = await team.owner.query(
    'select 1 from coffer.object where area <> coffer.area_of(list, identifier, classification)',
  );
  expect(wrong.rowCount).toBe(0);
}

async function settleAtOnce(team: TeamDatabase, page: number): Promise<void> {
  const other = await team.join('other', 3);
  const count = page * 2.25;
  await fill(team, count);
  await makeArea(team, 'in/');
  const calls = await Promise.all([team.curator, other].map((member) => tendToTheEnd(team, member)));
  expect(calls.reduce((sum, each) => sum + each, 0)).toBe(4);
  const advanced = Math.ceil(count / 2);
  const { rows } = await team.owner.query<{ least: string; most: string; count: string }>(
    'select min(rev) as least, max(rev) as most, count(distinct rev) from coffer.object where rev > $1',
    [count],
  );
  expect(rows).toEqual([
    { least: String(count + 1), most: String(count + advanced), count: String(advanced) },
  ]);
  const { rows: feed } = await team.owner.query('select rev from coffer.feed');
  expect(feed).toEqual([{ rev: String(count + advanced) }]);
}

describe('objects whose area has changed', () => {
  it('any curator moves them, and continues where another was killed', async () => {
    const team = await createTeam();
    await makePagesSmall(team);
    await expect(settleBesideKilled(team, pageSize / 1000)).resolves.toBeUndefined();
  });

  it('two curators at the same time move them once, with numbers that have no gaps', async () => {
    const team = await createTeam();
    await makePagesSmall(team);
    await expect(settleAtOnce(team, pageSize / 1000)).resolves.toBeUndefined();
  });

  it('moves them in pages of the real size', { tags: 'all' }, async () => {
    await expect(settleBesideKilled(await createTeam(), pageSize)).resolves.toBeUndefined();
    await expect(settleAtOnce(await createTeam(), pageSize)).resolves.toBeUndefined();
  });

  it('go back when the area is removed, and stay visible until then', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 1), await team.join('ben', 0)];
    await team.curator.push({ identifier: 'in/a' }, { identifier: 'out' });
    const area = await makeArea(team, 'in/', [[ben.id, 2]]);
    await tendToTheEnd(team, team.curator);
    const seenBy = async (member: Member) =>
      (
        await member.rows<{ identifier: string }>(`select identifier from ${readable.objects} order by 1`)
      ).map(({ identifier }) => identifier);
    expect([await seenBy(anna), await seenBy(ben)]).toEqual([['out'], ['in/a']]);

    await team.curator.call('coffer.remove_area_1($1)', area);
    expect(await seenBy(ben)).toEqual(['in/a']);
    // What is pushed meanwhile gets its right area.
    await team.curator.push({ identifier: 'in/b' });
    expect(await seenBy(anna)).toEqual(['in/b', 'out']);
    await expect(
      team.curator.call('coffer.set_access_1($1, $2, 1::smallint)', area, anna.id),
    ).rejects.toMatchObject({ code: 'P0002' });
    await tendToTheEnd(team, team.curator);
    expect([await seenBy(anna), await seenBy(ben)]).toEqual([['in/a', 'in/b', 'out'], []]);
    expect((await team.owner.query('select 1 from coffer.area')).rowCount).toBe(1);
  });

  it('stay if the area is made again before they have left it, with its new access', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 1), await team.join('ben', 1)];
    await team.curator.push({ identifier: 'in/a' });
    const area = await makeArea(team, 'in/', [[anna.id, 1]]);
    await tendToTheEnd(team, team.curator);
    await team.curator.call('coffer.remove_area_1($1)', area);
    expect(await makeArea(team, 'in/', [[ben.id, 1]])).toBe(area);
    await tendToTheEnd(team, team.curator);
    expect(await anna.rows(`select 1 from ${readable.objects}`)).toEqual([]);
    expect(await ben.rows(`select identifier from ${readable.objects}`)).toEqual([{ identifier: 'in/a' }]);
    await expect(makeArea(team, 'in/')).rejects.toMatchObject({ code: '23505' });
    await expect(makeArea(team, '')).rejects.toMatchObject({ code: '23505' });
    await expect(team.curator.call('coffer.remove_area_1(1)')).rejects.toMatchObject({ code: '23001' });
    await expect(makeArea(team, 'x/', [[99, 1]])).rejects.toMatchObject({ code: '23503' });
  });
});

describe('a curator', () => {
  it('changes only the intended settings of a person and of sharing', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const { curator, list } = team;
    await curator.call('coffer.set_person_1($1, $2, null, true)', list, anna.role.name);
    await curator.call('coffer.set_person_1($1, $2, $3, null)', list, anna.role.name, 'Anna Berg');
    type Curation = { people: { shown: string; endedMs: number | null }[]; shares: object };
    const found = await curator.call<Curation>('coffer.curation_1($1)', list);
    expect(found.people[1]).toMatchObject({ shown: 'Anna Berg', endedMs: expect.any(Number) as number });

    const epochOf = async () =>
      (await curator.call<{ epoch: string }>('coffer.hello_1($1, 0, null)', list)).epoch;
    const before = await epochOf();
    await curator.call('coffer.set_list_1($1, true, null, null)', list);
    expect(await epochOf()).toBe(before);
    await curator.call('coffer.set_list_1($1, null, false, null)', list);
    expect((await curator.call<Curation>('coffer.curation_1($1)', list)).shares).toEqual({
      secrets: true,
      notes: false,
      fileNames: true,
    });
    // Everybody reads the list again, so that nobody keeps another's note.
    expect(await epochOf()).not.toBe(before);
  });

  it('can come from the owner of the database, even if nobody curates any more', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 1);
    await team.owner.query('update coffer.person set ended_at = now()');
    await team.owner.query('select coffer.name_curator_1($1, $2, $3, false)', [
      team.list,
      anna.role.name,
      'Anna',
    ]);
    expect(await anna.call('coffer.curation_1($1)', team.list)).toMatchObject({ me: anna.id });
    await expect(team.curator.call('coffer.curation_1($1)', team.list)).rejects.toMatchObject({
      code: '42501',
    });
  });
});

import { describe, expect, it } from 'vitest';
import {
  readable,
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../../test-support/main/team/team-database.ts';
import { migrate } from './migrate.ts';
import { steps } from './steps.ts';

const { createTeam, createDatabase } = startTeamServer();

/** Objects of two areas, of which the member reads `open/`. Statistics are as after some days. */
async function hideSome(team: TeamDatabase): Promise<{ anna: Member; open: number }> {
  const { curator, list, owner } = team;
  const anna = await team.join('anna', 0);
  const open = await curator.call<number>('coffer.set_area_1($1, $2, null)', list, 'open/');
  await curator.call('coffer.set_access_1($1, $2, 1::smallint)', open, anna.id);
  await owner.query(
    `insert into coffer.object (list, kind, identifier, rev, area, state, seen_ms, seen_by, note, source_name, classification)
     select $1, 0, case when n % 10 = 1 then 'open/' else 'hidden/' end || n, n, case when n % 10 = 1 then $2::int else 1 end, 0, 0, 1,
       case when n % 10 = 2 then 'the plan' else '' end, 'plan.txt', 'confidential'
     from generate_series(1, 5000) n`,
    [list, open],
  );
  await owner.query(
    "insert into coffer.history (list, rev, object, at_ms, person, action) select 1, rev, id, 0, 1, 'added' from coffer.object",
  );
  await owner.query('analyze');
  return { anna, open };
}

/** What EXPLAIN tells the member of a statement. */
async function explain(member: Member, options: string, sql: string): Promise<string> {
  const rows = await member.rows<{ 'QUERY PLAN': string }>(`explain (${options}) ${sql}`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

describe('EXPLAIN', () => {
  it('refuses it for every table, so that it tells no statistic and no count of hidden rows', async () => {
    const team = await createTeam();
    const { anna } = await hideSome(team);
    const { rows } = await team.owner.query<{ name: string; columns: string[] }>(
      `select relname as name, array_agg(attname::text) as columns from pg_class c join pg_attribute a on a.attrelid = c.oid
       where relnamespace = 'coffer'::regnamespace and relkind = 'r' and attnum > 0 and relname <> 'step' group by 1`,
    );
    const told: string[] = [];
    for (const { name, columns } of rows) {
      for (const column of columns) {
        for (const options of ['costs', 'analyze, timing off']) {
          const plan = await explain(
            anna,
            options,
            `select from coffer.${name} where ${column}::text < 'hidden/5'`,
          ).catch(({ code }: { code: string }) => code);
          if (plan !== '42501') told.push(`${name}.${column}: ${plan}`);
        }
      }
    }
    expect(told).toEqual([]);
    for (const probe of ["note = 'the plan'", "identifier >= 'hidden/5' and identifier < 'hidden/6'"])
      await expect(
        explain(
          anna,
          'analyze, timing off',
          `select from coffer.object where list = 1 and kind = 0 and ${probe}`,
        ),
      ).rejects.toMatchObject({ code: '42501' });
    expect(
      await anna.rows("select from pg_stats where schemaname = 'coffer' and tablename <> 'step'"),
    ).toEqual([]);
  });

  it('of what members may call does not depend on hidden rows', async () => {
    const team = await createTeam();
    const { anna, open } = await hideSome(team);
    const areas = `'{${String(open)}}'`;
    // Each pair differs in hidden rows alone: the first is there, or is followed by 500 of them.
    const pairs: [string, string][] = [
      ["coffer.history_1(1, 0::smallint, 'hidden/2', 9)", "coffer.history_1(1, 0::smallint, 'hidden/x', 9)"],
      [
        `coffer.fill_1(1, ${areas}, 0::smallint, 'hidden/2', 1)`,
        `coffer.fill_1(1, ${areas}, 0::smallint, 'hidden/z', 1)`,
      ],
      [
        `coffer.fill_1(1, '{1}', 0::smallint, 'hidden/2', 1)`,
        `coffer.fill_1(1, '{1}', 0::smallint, 'hidden/z', 1)`,
      ],
    ];
    for (const options of ['costs', 'analyze, buffers, timing off, summary off, costs off']) {
      for (const [one, other] of pairs) {
        const plans = { one: '', other: '' };
        // The first calls of a session read the catalogue, and plan, as well.
        for (let turn = 0; turn < 12; turn += 1) {
          plans.one = await explain(anna, options, `select 1 from ${one}`);
          plans.other = await explain(anna, options, `select 1 from ${other}`);
        }
        expect([one, plans.one]).toEqual([one, plans.other]);
      }
    }
  });

  it('told it of a database that was made before, until its schema is brought up to date', async () => {
    const owner = await createDatabase();
    await migrate(owner, steps.slice(0, 1));
    await owner.query("select coffer.create_list_1('Files', 'x', '/', '@', 'anna', 'Anna')");
    await owner.query('analyze');
    const mayRead = async () =>
      (
        await owner.query<{ may: boolean }>(
          "select has_table_privilege('coffer_member', 'coffer.object', 'select') as may",
        )
      ).rows;
    expect(await mayRead()).toEqual([{ may: true }]);
    await migrate(owner);
    expect(await mayRead()).toEqual([{ may: false }]);
    expect((await owner.query('select list, person from coffer.known')).rows).toEqual([
      { list: 1, person: 1 },
    ]);
  });
});

describe('a member', () => {
  it('learns nothing of a list of others, not even whether there is one', async () => {
    const team = await createTeam();
    const { owner } = team;
    const anna = await team.join('anna', 2);
    const other = await team.join('other', 0);
    await owner.query("select coffer.create_list_1('Theirs', 'x', '/', '@', $1, 'Olga')", [other.role.name]);
    await owner.query('update coffer.feed set rev = 7, access_rev = 9 where list = 2');
    await owner.query(
      'insert into coffer.push (list, rev, tag, person, client, changes) values (2, 7, gen_random_uuid(), 2, gen_random_uuid(), 1)',
    );
    const told = async (list: number) => {
      const { nowMs: _, ...hello } = await anna.call<Record<string, unknown>>(
        'coffer.hello_1($1, 0, null)',
        list,
      );
      const pushed = await anna.call<Record<string, unknown>>(
        `coffer.push_1($1, gen_random_uuid(), 1, null, gen_random_uuid(), '[{"kind": 0, "identifier": "a"}]')`,
        list,
      );
      return [
        hello,
        { ...pushed, tag: null },
        await anna.call('coffer.next_1($1, 0)', list).catch(String),
        await anna.call("coffer.common_1($1, '{7}', '{00000000-0000-0000-0000-000000000000}')", list),
        await anna.call('coffer.areas_1($1)', list),
        await anna.rows('select * from coffer.rows_1($1, 0, 9, 9)', list),
      ];
    };
    expect(await told(2)).toEqual(await told(99));
    expect(
      JSON.stringify([await anna.call('coffer.people_1()'), await anna.call('coffer.lists_1()')]),
    ).not.toMatch(/other|Theirs/);
    expect(JSON.stringify(await other.call('coffer.people_1()'))).not.toMatch(/anna|Curator/);
    expect(JSON.stringify(await team.curator.call('coffer.curation_1(1)'))).not.toMatch(/other/);
    expect(await team.curator.call('coffer.person_1($1, null)', other.id)).toBeNull();
    expect(await anna.call('coffer.person_1(null, $1)', team.curator.role.name)).toBeNull();
    expect(await anna.call('coffer.person_1(null, $1)', anna.role.name)).toMatchObject({ isMade: false });
  });

  it('keeps the names of people who had access once', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 1), await team.join('ben', 2)];
    await ben.push({ identifier: 'a', state: 0, seen_ms: 1 });
    await team.curator.call('coffer.set_access_1(1, $1, 0::smallint)', ben.id);
    expect(await anna.call('coffer.people_1()')).toContainEqual([ben.id, 'ben', false]);
  });

  it('who lost all access keeps their place, and goes on from it when it is given back', async () => {
    const team = await createTeam();
    const ben = await team.join('ben', 2);
    const { rev, tag } = await ben.push({ identifier: 'a' });
    type Hello = {
      rev: number;
      tag: string;
      epoch: string;
      known: boolean;
      areas: unknown;
      accessRev: number;
    };
    const hello = () => ben.call<Hello>('coffer.hello_1(1, $1, $2)', rev, tag);
    const before = await hello();
    await team.curator.call('coffer.set_access_1(1, $1, 0::smallint)', ben.id);
    await team.curator.push({ identifier: 'b' });
    expect(await hello()).toMatchObject({
      rev,
      tag,
      epoch: before.epoch,
      known: true,
      areas: null,
      accessRev: 0,
    });
    expect(await ben.rows(`select from ${readable.objects}`)).toEqual([]);
    await team.curator.call('coffer.set_access_1(1, $1, 1::smallint)', ben.id);
    expect(await hello()).toMatchObject({ rev: 2, known: true, epoch: before.epoch });
    expect(await ben.rows(`select identifier from ${readable.objects}`)).toHaveLength(2);
  });

  it('of a folder is answered alike whether or not an object is in another folder, which they may not see', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    await team.curator.call('coffer.set_area_1($1, $2, null)', team.list, 'hidden/');
    await team.curator.push({ identifier: 'hidden/plan', state: 0 });
    const { refused } = await anna.push(
      { identifier: 'hidden/plan', state: 0, incarnation: '00000000-0000-4000-8000-000000000000' },
      { identifier: 'hidden/none', state: 0, incarnation: '00000000-0000-4000-8000-000000000001' },
    );
    expect(refused).toEqual([
      [1, 'forbidden'],
      [2, 'forbidden'],
    ]);
  });
});

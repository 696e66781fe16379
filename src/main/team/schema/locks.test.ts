import { describe, expect, it } from 'vitest';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../../test-support/main/team/team-database.ts';

const { createTeam } = startTeamServer();

/** A push of one change, as any program can write it. */
const pushSql = (
  list: number,
) => `coffer.push_1(${String(list)}, gen_random_uuid(), 1, null, gen_random_uuid(),
  '[{"kind": 0, "identifier": "held", "state": 0}]')`;

/** What may take a list's lock. */
const calls = (list: number) => [
  `coffer.tend_1(${String(list)})`,
  pushSql(list),
  `coffer.set_area_1(${String(list)}, 'held', null)`,
  `coffer.set_access_1(1, 1, 3::smallint)`,
  `coffer.remove_area_1(1)`,
  `coffer.set_person_1(${String(list)}, 'held', 'Held', false)`,
  `coffer.set_list_1(${String(list)}, null, null, null)`,
  `coffer.new_epoch_1(${String(list)})`,
  `coffer.curation_1(${String(list)})`,
  `coffer.hello_1(${String(list)}, 0, null)`,
];

/** In the order of the calls: those after which the member's open transaction kept the list from its curator. */
async function holds(team: TeamDatabase, member: Member): Promise<string[]> {
  const held: string[] = [];
  for (const call of calls(team.list)) {
    await member.client.query('begin');
    await member.client.query('savepoint tried');
    // As a program would that wants to keep what it has got.
    await member.client.query(`select ${call}`).catch(() => undefined);
    const { rowCount } = await team.owner.query(
      'select from coffer.feed where list = $1 for update skip locked',
      [team.list],
    );
    if (rowCount === 0) held.push(call);
    await member.client.query('rollback');
  }
  return held;
}

describe('an open transaction', () => {
  it('holds a list only for those who may write in it', async () => {
    const team = await createTeam();
    const { curator, list, owner } = team;
    const [reader, ended, stranger, contributor] = [
      await team.join('reader', 1),
      await team.join('ended', 2),
      await team.join('stranger', 0),
      await team.join('contributor', 2),
    ];
    await curator.call('coffer.set_person_1($1, $2, null, true)', list, ended.role.name);
    await owner.query("select coffer.create_list_1('Other', 'x', '/', '@', $1, 'Other')", [
      stranger.role.name,
    ]);
    const held: Record<string, string[]> = {};
    for (const [name, member] of Object.entries({ reader, ended, stranger, contributor }))
      held[name] = await holds(team, member);
    expect(held).toEqual({ reader: [], ended: [], stranger: [], contributor: [pushSql(list)] });
  });

  it('keeps nobody waiting who may not write, and whoever has waited is asked again', async () => {
    const team = await createTeam();
    const { curator, list, owner } = team;
    const [reader, holder, late] = [
      await team.join('reader', 1),
      await team.join('holder', 2),
      await team.join('late', 2),
    ];
    await holder.client.query(`begin; select ${pushSql(list)}`);
    await reader.client.query("set statement_timeout = '2s'");
    const codes: unknown[] = [];
    for (const call of calls(list))
      codes.push(
        await reader.call(call).then(
          () => 'done',
          ({ code }: { code: string }) => code,
        ),
      );
    // 57014 would be a wait that was cut short.
    expect(new Set(codes)).toEqual(new Set(['done', '42501']));

    const waiting = late.call(pushSql(list)).catch(({ code }: { code: string }) => code);
    await expect
      .poll(async () => {
        const { rowCount } = await owner.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rowCount;
      })
      .toBe(1);
    await owner.query('update coffer.access set may = 1 where person = $1', [late.id]);
    await holder.client.query('commit');
    expect(await waiting).toBe('42501');
    // As before, what a reader tells is refused and followed by their next push.
    expect((await late.push({ identifier: 'one' }, { identifier: 'two' })).refused).toEqual([
      [1, 'forbidden'],
      [2, 'forbidden'],
    ]);
    await curator.call('coffer.set_access_1(1, $1, 2::smallint)', late.id);
    expect((await late.push({ identifier: 'three' })).refused).toEqual([]);
  });
});

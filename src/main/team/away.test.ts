import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { followList as follow, openFiledComputer } from '../../../test-support/main/team/filed-computer.ts';
import { followTeam, joinAs } from '../../../test-support/main/team/follow-team.ts';
import { namesOf, rowsOf, rowsOfServer, untilEqual } from '../../../test-support/main/team/list-rows.ts';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../test-support/main/team/team-database.ts';
import type { TeamCopy } from '../objects/team/team-copy.ts';

const { createTeam, port, stop, start } = startTeamServer();

const bytes = { lengthBytes: 5, sha256: 'a'.repeat(64) };

const openComputer = (team: TeamDatabase, member: Member) => openFiledComputer(team, member, port());

describe('a computer', () => {
  it('that was off for 91 days reads the list again, and tells what it did meanwhile', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [await openComputer(team, anna), await openComputer(team, ben)];
    const [followsA, followsB] = [follow(anna, a.list), follow(ben, b.list)];
    await a.list.upload('mine', bytes);
    await b.list.upload('theirs', bytes);
    await followsA.sync.sync();
    await followsB.sync.sync();
    await untilEqual(team.owner, a.list, b.list);
    await followsA.sync.stop();
    await b.list.delete('theirs');
    await b.list.remove('theirs');
    await followsB.sync.sync();
    await eventually(async () => expect(namesOf(await rowsOfServer(team.owner))).toEqual(['mine']));
    await team.owner.query(
      "update coffer.push set at = at - interval '91 days'; update coffer.feed set trimmed_at = now() - interval '2 days'",
    );
    await b.list.upload('new', bytes);
    await followsB.sync.sync();
    await team.curator.call('coffer.tend_1($1)', team.list);
    await a.list.upload('offline', bytes);
    await follow(anna, a.list).until('live');
    await untilEqual(team.owner, a.list, b.list);
    expect(namesOf(await rowsOfServer(team.owner))).toEqual(['mine', 'new', 'offline']);
    expect(a.list.row('theirs')).toBeNull();
  });

  it('whose data folder was copied or restored continues as a client of its own', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const a = await openComputer(team, anna);
    const follows = follow(anna, a.list);
    await a.list.upload('one', bytes);
    await follows.sync.sync();
    const openFolder = a.save();
    await a.list.upload('two', bytes);
    await a.list.type('one', 'by the first');
    await follows.sync.sync();
    const twin = await openFolder();
    await twin.upload('three', bytes);
    await twin.type('one', 'by the second');
    const followsTwin = follow(anna, twin);
    await followsTwin.until('live');
    await a.list.upload('four', bytes);
    await follows.sync.sync();
    await untilEqual(team.owner, a.list, twin);
    expect(await rowsOfServer(team.owner)).toMatchObject([
      { identifier: 'four' },
      { identifier: 'one', note: 'by the first' },
      { identifier: 'three' },
      { identifier: 'two' },
    ]);
    // Both texts exist: the person whose text came second is asked.
    expect(await twin.team.noteConflicts(twin.serviceId)).toMatchObject([{ mine: 'by the second' }]);
    const clients = [a.list, twin].map(
      async ({ team: copy, serviceId }) => (await copy.stateOf(serviceId))?.client,
    );
    expect(new Set(await Promise.all(clients)).size).toBe(2);
    expect(followsTwin.syncStates.map(({ kind }) => kind)).not.toContain('refused');
  });
});

it('tries a missing database, as while a backup is restored, again', async () => {
  const team = await createTeam();
  const anna = await team.join('anna', 2);
  const a = await openComputer(team, anna);
  await a.list.upload('mine', bytes);
  await team.owner.query('alter schema coffer rename to away');
  const follows = follow(anna, a.list);
  await follows.until('asOf', 'noTeam');
  await team.owner.query(
    'alter schema away rename to coffer; revoke usage on schema coffer from coffer_member',
  );
  await follows.until('asOf', 'noAccess');
  await team.owner.query('grant usage on schema coffer to coffer_member');
  await follows.until('live');
  expect(namesOf(await rowsOfServer(team.owner))).toEqual(['mine']);
});

it('a crash of the server during pushes neither loses nor repeats a change', async () => {
  const team = await createTeam();
  const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
  const [a, b] = [await openComputer(team, anna), await openComputer(team, ben)];
  for (const crashAt of ['nextPush', 'acknowledge'] as const) {
    for (let n = 0; n < 40; n += 1) await a.list.upload(`${crashAt}/${String(n)}`, bytes);
    await a.list.join(joinAs(team, anna, port()));
    const copy: TeamCopy = {
      ...a.list.team,
      async nextPush(...given) {
        const push = await a.list.team.nextPush(...given);
        if (crashAt === 'nextPush') await stop('immediate');
        return push;
      },
      async acknowledge() {
        await stop('immediate');
        throw new Error('killed');
      },
    };
    const follows = followTeam(a.list.serviceId, anna, copy);
    await follows.untilSeen('asOf', crashAt === 'nextPush' ? 'closed' : 'local');
    await follows.sync.stop();
    await start();
  }
  for (const [member, { list }] of [
    [anna, a],
    [ben, b],
  ] as const) {
    await list.join(joinAs(team, member, port()));
    await follow(member, list).until('live');
  }
  expect(rowsOf(b.list)).toHaveLength(80);
  expect(rowsOf(b.list)).toEqual(rowsOf(a.list));
  expect(await a.list.team.stateOf(a.list.serviceId)).toMatchObject({ due: 0 });
});

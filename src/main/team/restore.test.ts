import { describe, expect, it } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { followList as follow, openFiledComputer } from '../../../test-support/main/team/filed-computer.ts';
import { followTeam } from '../../../test-support/main/team/follow-team.ts';
import { namesOf, rowsOfServer, untilEqual, untilTold } from '../../../test-support/main/team/list-rows.ts';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../test-support/main/team/team-database.ts';
import type { TeamCopy } from '../objects/team/team-copy.ts';

const { createTeam, backUp, port } = startTeamServer();

const bytes = { lengthBytes: 5, sha256: 'a'.repeat(64) };

const openComputer = (team: TeamDatabase, member: Member) => openFiledComputer(team, member, port());

describe('a server restored from a backup', () => {
  it('gets what it lost from each computer, and all agree again by themselves', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [await openComputer(team, anna), await openComputer(team, ben)];
    await a.list.upload('before', bytes);
    await a.list.upload('deleted', bytes);
    const [followsA, followsB] = [follow(anna, a.list), follow(ben, b.list)];
    await followsA.until('live');
    await untilEqual(team.owner, a.list, b.list);
    const putBack = await backUp(team);
    await a.list.upload('after', bytes);
    await a.list.type('before', 'a note');
    await a.list.delete('deleted');
    await b.list.upload('by Ben', bytes);
    followsA.sync.noteChange();
    followsB.sync.noteChange();
    await untilTold(a.list);
    await untilTold(b.list);
    await eventually(() => expect(b.list.row('after')).not.toBeNull());
    // Ben's computer is off, while Anna's continues.
    await followsB.sync.stop();
    const owner = await putBack(async (before) =>
      expect(namesOf(await rowsOfServer(before))).toEqual(['before', 'deleted']),
    );
    await untilEqual(owner, a.list);
    await follow(ben, b.list).until('live');
    await untilEqual(owner, a.list, b.list);
    expect(await rowsOfServer(owner)).toMatchObject([
      { identifier: 'after', state: 0 },
      { identifier: 'before', note: 'a note' },
      { identifier: 'by Ben', state: 0 },
      { identifier: 'deleted', state: 5 },
    ]);
  });

  it('together with a later data folder loses nothing that either still has', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [await openComputer(team, anna), await openComputer(team, ben)];
    const [followsA, followsB] = [follow(anna, a.list), follow(ben, b.list)];
    await a.list.upload('first', bytes);
    await followsA.sync.sync();
    const putServerBack = await backUp(team);
    await a.list.upload('second', bytes);
    await followsA.sync.sync();
    await eventually(() => expect(b.list.row('second')).not.toBeNull());
    const openFolder = a.save();
    await a.list.upload('third', bytes);
    await followsA.sync.sync();
    await eventually(() => expect(b.list.row('third')).not.toBeNull());
    await followsA.sync.stop();
    await followsB.sync.stop();
    const owner = await putServerBack();
    const again = await openFolder();
    await follow(anna, again).until('live');
    await follow(ben, b.list).until('live');
    await untilEqual(owner, again, b.list);
    // The only computer that knew of the third one has forgotten it.
    expect(namesOf(await rowsOfServer(owner))).toEqual(['first', 'second']);
    expect(b.list.row('third')).toBeNull();
  });

  it('in which a person is not yet a member: they are told, and changes wait', async () => {
    const team = await createTeam();
    const putBack = await backUp(team);
    const curator = await team.connect(team.curator);
    await team.owner.end();
    const role = { name: `late_${team.name}`, password: 'only here' };
    await curator.rows('select 1');
    const owner = await putBack();
    await owner.query(`create role ${role.name} login password '${role.password}' in role coffer_member`);
    const member = { ...curator, id: 2, role };
    const late = await openComputer(team, member);
    await late.list.upload('mine', bytes);
    const follows = follow(member, late.list);
    await follows.until('refused', 'ended');
    expect(await late.list.team.stateOf(late.list.serviceId)).toMatchObject({ due: 1 });
  });
});

describe('a list whose curator declares its tables unreliable', () => {
  it('tells it everything again, and reads it again', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [await openComputer(team, anna), await openComputer(team, ben)];
    const [followsA, followsB] = [follow(anna, a.list), follow(ben, b.list)];
    for (const name of ['kept', 'lost']) await a.list.upload(name, bytes);
    await followsA.sync.sync();
    await untilEqual(team.owner, a.list, b.list);
    // Unlike a backup: the anchors stay, so no computer notices.
    await team.owner.query("delete from coffer.object where identifier = 'lost'");
    await followsB.sync.sync();
    expect(b.list.row('lost')).not.toBeNull();
    await team.curator.call('coffer.new_epoch_1($1)', team.list);
    await untilEqual(team.owner, a.list, b.list);
    expect(namesOf(await rowsOfServer(team.owner))).toEqual(['kept', 'lost']);
  });

  it.each(['pushes', 'pulls'])('tells it again even from a computer that %s just then', async (what) => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const a = await openComputer(team, anna);
    const follows = follow(anna, a.list);
    await a.list.upload('lost', bytes);
    await follows.sync.sync();
    await follows.sync.stop();
    await team.owner.query("delete from coffer.object where identifier = 'lost'");
    if (what === 'pushes') await a.list.upload('new', bytes);
    else await team.curator.push({ identifier: 'new', state: 0 });
    let isCompared = false;
    const copy: TeamCopy = {
      ...a.list.team,
      // Called after the server was asked where it stands.
      async nextPush(...given) {
        if (!isCompared) await team.curator.call('coffer.new_epoch_1($1)', team.list);
        isCompared = true;
        return a.list.team.nextPush(...given);
      },
    };
    await followTeam(a.list.serviceId, anna, copy).until('live');
    expect(namesOf(await rowsOfServer(team.owner))).toEqual(['lost', 'new']);
  });
});

describe('while a list is read again', () => {
  it('notices a second restore of the server', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const a = await openComputer(team, anna);
    const follows = follow(anna, a.list);
    await a.list.upload('before', bytes);
    await follows.sync.sync();
    const putBack = await backUp(team);
    await a.list.upload('after', bytes);
    follows.sync.noteChange();
    await untilTold(a.list);
    await follows.sync.stop();
    // Simulates an end of the process here, before the fill.
    const anchors = await a.list.team.anchors(a.list.serviceId);
    await a.list.team.serverForgot(a.list.serviceId, anchors[0]?.rev ?? 0);
    const owner = await putBack();
    // Its numbers have advanced beyond those this computer knows.
    const curator = await team.connect(team.curator);
    for (const identifier of ['new 1', 'new 2']) await curator.push({ identifier, state: 0 });
    await follow(anna, a.list).until('live');
    expect(namesOf(await rowsOfServer(owner))).toEqual(['after', 'before', 'new 1', 'new 2']);
  });
});

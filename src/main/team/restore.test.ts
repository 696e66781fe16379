import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { makeFolder } from '../../../test-support/main/database/folder.ts';
import { openTeamCopy, type OpenTeamCopy } from '../../../test-support/main/objects/team-copy.ts';
import type { TeamCopy } from '../objects/team/team-copy.ts';
import { followTeam, joinAs } from '../../../test-support/main/team/follow-team.ts';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../test-support/main/team/team-database.ts';

const { createTeam, backUp, port, stop, start } = startTeamServer();

const bytes = { lengthBytes: 5, sha256: 'a'.repeat(64) };

/** A computer whose list lies in a file. */
async function openComputer(team: TeamDatabase, member: Member) {
  const folder = await makeFolder();
  onTestFinished(() => folder[Symbol.asyncDispose]());
  let count = 0;
  const newPath = () => join(folder.path, String((count += 1)));
  const open = async (path: string) => {
    const db = new DatabaseSync(path);
    db.exec('PRAGMA journal_mode = WAL');
    const opened = await openTeamCopy(() => Date.now(), db);
    onTestFinished(() => {
      if (db.isOpen) opened.close();
    });
    return opened;
  };
  const list = await open(newPath());
  await list.join(joinAs(team, member, port()));
  return {
    list,
    /** As a copy of the data folder. @returns opens it */
    save: () => {
      const path = newPath();
      list.db.exec(`VACUUM INTO '${path}'`);
      return () => open(path);
    },
  };
}

const follow = (member: Member, list: OpenTeamCopy) => followTeam(list.serviceId, member, list.team);

async function rowsOfServer(owner: pg.Client) {
  const { rows } = await owner.query<{ identifier: string; rev: number; state: number; note: string }>(
    'select identifier, rev::int as rev, state, note from coffer.object where not is_forgotten order by identifier',
  );
  return rows;
}

const rowsOf = ({ db }: OpenTeamCopy) =>
  db
    .prepare(
      'SELECT identifier, team_rev AS rev, state, note FROM object WHERE team_rev IS NOT NULL ORDER BY identifier',
    )
    .all()
    .map((row) => ({ ...row }));

const namesOf = (rows: readonly { identifier: string }[]) => rows.map(({ identifier }) => identifier);

async function untilEqual(owner: pg.Client, ...lists: OpenTeamCopy[]): Promise<void> {
  await eventually(async () => {
    const expected = await rowsOfServer(owner);
    for (const list of lists) {
      expect(await list.team.stateOf(list.serviceId)).toMatchObject({ due: 0, refused: 0, fill: null });
      expect(rowsOf(list)).toEqual(expected);
    }
  });
}

describe('a server that was put back from a backup', () => {
  it('gets from each computer what it lost, and all agree again by themselves', async () => {
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
    await followsA.sync.sync();
    await followsB.sync.sync();
    await eventually(() => expect(b.list.row('after')).not.toBeNull());
    // Ben's computer is off, and Anna's goes on.
    await followsB.sync.stop();
    const owner = await putBack();
    expect(namesOf(await rowsOfServer(owner))).toEqual(['before', 'deleted']);
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

  it('to before a person had a data folder that is put back as well: nothing of either goes', async () => {
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
    // The only computer that knew of the third one has forgotten that it was there.
    expect(namesOf(await rowsOfServer(owner))).toEqual(['first', 'second']);
    expect(b.list.row('third')).toBeNull();
  });

  it('in which a person is no member yet says so, and keeps what waits', async () => {
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

describe('a list whose curator says that its tables are not to be relied on', () => {
  it('gets all that was told once more, and is read anew', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [await openComputer(team, anna), await openComputer(team, ben)];
    const [followsA, followsB] = [follow(anna, a.list), follow(ben, b.list)];
    for (const name of ['kept', 'lost']) await a.list.upload(name, bytes);
    await followsA.sync.sync();
    await untilEqual(team.owner, a.list, b.list);
    // Not as a backup would: the anchors stay, and nobody notices.
    await team.owner.query("delete from coffer.object where identifier = 'lost'");
    await followsB.sync.sync();
    expect(b.list.row('lost')).not.toBeNull();
    await team.curator.call('coffer.new_epoch_1($1)', team.list);
    await untilEqual(team.owner, a.list, b.list);
    expect(namesOf(await rowsOfServer(team.owner))).toEqual(['kept', 'lost']);
  });

  it.each(['pushes', 'pulls'])('gets it also from a computer that just then %s', async (what) => {
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
      // After the server was asked where it stands.
      async nextPush(serviceId) {
        if (!isCompared) await team.curator.call('coffer.new_epoch_1($1)', team.list);
        isCompared = true;
        return a.list.team.nextPush(serviceId);
      },
    };
    await followTeam(a.list.serviceId, anna, copy).until('live');
    expect(namesOf(await rowsOfServer(team.owner))).toEqual(['lost', 'new']);
  });
});

describe('while a list is read anew', () => {
  it('a server that is put back once more is noticed', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const a = await openComputer(team, anna);
    const follows = follow(anna, a.list);
    await a.list.upload('before', bytes);
    await follows.sync.sync();
    const putBack = await backUp(team);
    await a.list.upload('after', bytes);
    await follows.sync.sync();
    await follows.sync.stop();
    // The process ends here, before the fill.
    const anchors = await a.list.team.anchors(a.list.serviceId);
    await a.list.team.serverForgot(a.list.serviceId, anchors[0]?.rev ?? 0);
    const owner = await putBack();
    // Its numbers have come further than this computer knows.
    const curator = await team.connect(team.curator);
    for (const identifier of ['new 1', 'new 2']) await curator.push({ identifier, state: 0 });
    await follow(anna, a.list).until('live');
    expect(namesOf(await rowsOfServer(owner))).toEqual(['after', 'before', 'new 1', 'new 2']);
  });
});

describe('a computer', () => {
  it('that was off for 91 days reads anew, and tells what it did meanwhile', async () => {
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

  it('whose data folder was copied to another one, or was put back, goes on as a client of its own', async () => {
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
    // Both texts are there: whose came second is asked.
    expect(await twin.team.keptApart(twin.serviceId)).toMatchObject([{ mine: 'by the second' }]);
    const clients = [a.list, twin].map(
      async ({ team: copy, serviceId }) => (await copy.stateOf(serviceId))?.client,
    );
    expect(new Set(await Promise.all(clients)).size).toBe(2);
    expect(followsTwin.standings.map(({ kind }) => kind)).not.toContain('refused');
  });
});

it('a database that is not there, as while a backup is put back, is asked again', async () => {
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

it(
  'a crash of the server while changes are told loses none, and none is there twice',
  { timeout: 60_000 },
  async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [await openComputer(team, anna), await openComputer(team, ben)];
    for (const crashAt of ['nextPush', 'acknowledge'] as const) {
      for (let n = 0; n < 40; n += 1) await a.list.upload(`${crashAt}/${String(n)}`, bytes);
      await a.list.join(joinAs(team, anna, port()));
      const copy: TeamCopy = {
        ...a.list.team,
        async nextPush(serviceId) {
          const push = await a.list.team.nextPush(serviceId);
          if (crashAt === 'nextPush') await stop('immediate');
          return push;
        },
        async acknowledge() {
          await stop('immediate');
          throw new Error('killed');
        },
      };
      const follows = followTeam(a.list.serviceId, anna, copy);
      await follows.until('asOf', crashAt === 'nextPush' ? 'closed' : 'local');
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
  },
);

import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { byInvitation, openTeamBench, serviceId } from '../../../test-support/main/team/team-bench.ts';
import {
  readable,
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../test-support/main/team/team-database.ts';

const { createTeam, invitationOf } = startTeamServer();

type Bench = Awaited<ReturnType<typeof openTeamBench>>;

async function join(team: TeamDatabase, member: Member): Promise<Bench> {
  const bench = await openTeamBench();
  await bench.join(byInvitation(invitationOf(team, member)), team.list);
  return bench;
}

const curationOf = (bench: Bench) => bench.calls['team.curation']({ serviceId });
const failsWith = (problem: string) => ({ error: { code: 'teamCurate', problem } });

/** Drops the databases of other tests. */
async function noOtherTeams({ name, owner }: TeamDatabase): Promise<void> {
  const { rows } = await owner.query<{ other: string }>(
    "select datname as other from pg_database where datname like 'team%' and datname <> $1",
    [name],
  );
  for (const { other } of rows) await owner.query(`revoke connect on database ${other} from coffer_member`);
}

/** Invites a role, which the curator thereby makes. */
async function invite(team: TeamDatabase, bench: Bench, role: string): Promise<string> {
  await team.owner.query(`alter role ${team.curator.role.name} createrole`);
  await team.owner.query(`grant coffer_member to ${team.curator.role.name} with admin option`);
  const asked = { serviceId, role, shown: 'Mia', may: 'contribute' } as const;
  return (await bench.calls['team.invite'](asked)).invitation;
}

it('shows curators the team with their own rights, and others only those', async () => {
  const team = await createTeam();
  await team.join('anna', 1);
  const bench = await join(team, team.curator);
  const whole = { prefix: '', classification: null };
  expect(await bench.calls['team.membership']({ serviceId })).toMatchObject({
    mine: [{ ...whole, may: 'curate' }],
    curation: await curationOf(bench),
  });
  const ben = await team.join('ben', 2);
  const other = await join(team, ben);
  expect(await other.calls['team.membership']({ serviceId })).toEqual({
    mine: [{ ...whole, may: 'contribute' }],
    curation: null,
  });
});

describe('areas', () => {
  it('get their objects through the Coffer of a curator who follows the list, and return them when removed', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 1), await team.join('ben', 1)];
    await team.curator.push({ identifier: 'reports/july' }, { identifier: 'plan' });
    const bench = await join(team, team.curator);
    const { areaId } = await bench.calls['team.makeArea']({
      serviceId,
      prefix: 'reports/',
      classification: null,
      access: [{ personId: anna.id, may: 'read' }],
    });
    const settled = (areas: object[]) =>
      eventually(async () => expect(await curationOf(bench)).toMatchObject({ unsettled: null, areas }));
    const root = { id: 1, prefix: '', classification: null };
    await settled([
      { ...root, objects: 1 },
      {
        id: areaId,
        prefix: 'reports/',
        objects: 1,
        access: [
          { personId: team.curator.id, may: 'curate' },
          { personId: anna.id, may: 'read' },
        ],
      },
    ]);
    const seenBy = async (member: Member) => (await member.rows(`select 1 from ${readable.objects}`)).length;
    expect([await seenBy(anna), await seenBy(ben)]).toEqual([2, 1]);

    const access = { serviceId, areaId, personId: ben.id };
    await bench.calls['team.setAccess']({ ...access, may: 'contribute' });
    expect(await seenBy(ben)).toBe(2);
    await bench.calls['team.setAccess']({ ...access, may: 'none' });
    expect(await seenBy(ben)).toBe(1);
    await bench.calls['team.removeArea']({ serviceId, areaId });
    await settled([{ ...root, objects: 2 }]);
    expect(await seenBy(ben)).toBe(2);
    await expect(bench.calls['team.removeArea']({ serviceId, areaId })).rejects.toMatchObject({
      error: { code: 'notFound', what: 'teamArea' },
    });
  });

  it('makes them, and fills them with their objects, by a command, which follows no list', async () => {
    const team = await createTeam();
    await team.curator.push({ identifier: 'reports/july' });
    const bench = await join(team, team.curator);
    await bench.until('live');
    await bench.start(false);
    await bench.calls['team.makeArea']({ serviceId, prefix: 'reports/', classification: null, access: [] });
    expect((await curationOf(bench)).unsettled).toBe(1);
    await bench.calls['team.sync']({ serviceId });
    expect(await curationOf(bench)).toMatchObject({ unsettled: null, areas: [{}, { objects: 1 }] });
  });

  it('refuses them where they are not allowed', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const bench = await join(team, team.curator);
    const area = { serviceId, prefix: '', classification: null, access: [] };
    await expect(bench.calls['team.makeArea'](area)).rejects.toMatchObject(failsWith('areaThere'));
    await expect(bench.calls['team.removeArea']({ serviceId, areaId: 1 })).rejects.toMatchObject(
      failsWith('wholeList'),
    );
    await expect(
      bench.calls['team.makeArea']({ ...area, prefix: 'x/', access: [{ personId: 99, may: 'read' }] }),
    ).rejects.toMatchObject({ error: { code: 'notFound', what: 'teamPerson' } });
    await expect(bench.calls['team.makeArea']({ ...area, prefix: 'é'.repeat(1001) })).rejects.toMatchObject({
      error: { code: 'invalidInput', field: 'prefix', problem: 'tooManyBytes', limit: 2000 },
    });
    const annas = await join(team, anna);
    await expect(curationOf(annas)).rejects.toMatchObject(failsWith('notCurator'));
    await expect(annas.calls['team.makeArea']({ ...area, prefix: 'x/' })).rejects.toMatchObject(
      failsWith('notCurator'),
    );
    await expect(
      annas.calls['team.setAccess']({ serviceId, areaId: 1, personId: anna.id, may: 'curate' }),
    ).rejects.toMatchObject(failsWith('notCurator'));
  });

  it('that are taken away while changes for them wait: the changes are set aside, and stored objects stay private', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const bench = await join(team, anna);
    await bench.until('live');
    await bench.start(false);
    const patch = {
      state: 'stored',
      lengthBytes: 3,
      sha256: '0'.repeat(64),
      storedAtMs: Date.now(),
    } as const;
    await bench.stores.catalogue.add(serviceId, [{ kind: 'data', identifier: 'reports/july', patch }]);
    expect((await bench.status())?.due).toBe(1);
    const curator = await join(team, team.curator);
    await curator.calls['team.makeArea']({ serviceId, prefix: 'reports/', classification: null, access: [] });
    await eventually(async () => expect((await curationOf(curator)).unsettled).toBeNull());
    expect(await bench.calls['team.sync']({ serviceId })).toMatchObject({ setAside: 1 });
    const found = await bench.stores.catalogue.findByIdentifiers(serviceId, 'data', ['reports/july']);
    expect(found.size).toBe(1);
    expect(await team.curator.rows(`select 1 from ${readable.objects}`)).toEqual([]);
    // The changes were kept for when access is given.
    const [, area] = (await curationOf(curator)).areas;
    const given = { serviceId, areaId: area?.id ?? 0, personId: anna.id, may: 'contribute' } as const;
    await curator.calls['team.setAccess'](given);
    expect(await bench.calls['team.sync']({ serviceId })).toEqual({ due: 0, setAside: 0 });
    expect(await team.curator.rows(`select identifier from ${readable.objects}`)).toEqual([
      { identifier: 'reports/july' },
    ]);
  });

  it('wait where the server takes no changes, while a curator goes on reading', async () => {
    const team = await createTeam();
    const bench = await join(team, team.curator);
    await bench.until('live');
    await bench.start(false);
    await bench.calls['team.makeArea']({ serviceId, prefix: 'reports/', classification: null, access: [] });
    await team.owner.query(`alter database ${team.name} set default_transaction_read_only = on`);
    onTestFinished(async () => {
      await team.owner.query(`alter database ${team.name} reset default_transaction_read_only`);
    });
    await bench.start();
    await bench.until('live');
    expect((await curationOf(bench)).unsettled).toBe(0);
  });
});

describe('a person', () => {
  it('who was invited loses login and connections when ended, and gets them back', async () => {
    const team = await createTeam();
    const bench = await join(team, team.curator);
    const role = `mia_${team.name}`;
    const invitation = await invite(team, bench, role);
    const mia = await openTeamBench();
    await mia.join(byInvitation(invitation), team.list);
    await mia.until('live');
    const sessions = async () =>
      (await team.owner.query('select 1 from pg_stat_activity where usename = $1', [role])).rowCount;
    // The joining's own session may still be ending.
    await eventually(async () => expect(await sessions()).toBe(1));
    const person = (await curationOf(bench)).people.find((each) => each.role === role);
    expect(person).toMatchObject({ shown: 'Mia', isEnded: false, endedMs: null });
    expect(Math.abs(Date.now() - (person?.sinceMs ?? 0))).toBeLessThan(60_000);
    const personId = person?.id ?? 0;

    const end = (isEnded: boolean) => bench.calls['team.setPerson']({ serviceId, personId, isEnded });
    // Another team on the same server may have this role in its list.
    const another = `another_${team.name}`;
    await team.owner.query(`create database ${another}`);
    onTestFinished(async () => {
      await team.owner.query(`drop database ${another}`);
    });
    await noOtherTeams(team);
    await team.owner.query(`grant connect on database ${another} to coffer_member`);
    expect(await end(true)).toEqual({ left: ['login'] });
    expect(await end(false)).toEqual({ left: [] });
    await team.owner.query(`revoke connect on database ${another} from coffer_member`);

    expect(await end(true)).toEqual({ left: [] });
    await eventually(async () => expect(await sessions()).toBe(0));
    await mia.until('refused');
    // The curator is no longer a member of the role, which was only for ending its connections.
    const { rows: members } = await team.owner.query('select pg_has_role($1, $2, $3) as "is"', [
      team.curator.role.name,
      role,
      'usage',
    ]);
    expect(members).toEqual([{ is: false }]);
    expect(await end(false)).toEqual({ left: [] });
    await mia.calls['team.retry']({ serviceId });
    await mia.until('live');
    // Another invitation brings the person back as well.
    await end(true);
    await invite(team, bench, role);
    await mia.calls['team.retry']({ serviceId });
    await mia.until('live');
  });

  it('whose invitation was lost can be invited again until they have joined', async () => {
    const team = await createTeam();
    const bench = await join(team, team.curator);
    // Roles stay on the server for the following tests.
    const role = `eve_${team.name}`;
    const lost = await invite(team, bench, role);
    const asked = { serviceId, role, shown: 'Mia', may: 'contribute' } as const;
    const again = await bench.calls['team.invite'](asked);
    expect(again).toMatchObject({ hasPassword: true, isRenewed: true });
    const mia = await openTeamBench();
    await expect(mia.join(byInvitation(lost), team.list)).rejects.toMatchObject({
      error: { code: 'teamServer', why: 'login' },
    });
    await mia.join(byInvitation(again.invitation), team.list);
    // From then on the password is theirs.
    expect(await bench.calls['team.invite'](asked)).toMatchObject({ hasPassword: false, isRenewed: false });
    await mia.start();
    await mia.until('live');
    // A role of that name that is made again has the password of its invitation.
    await mia.start(false);
    await team.owner.query(`drop role ${role}`);
    await invite(team, bench, role);
    expect(await bench.calls['team.invite'](asked)).toMatchObject({ isRenewed: true });
  });

  it('who has joined by a password that an administrator gave their role keeps it when they are invited again', async () => {
    const team = await createTeam();
    const bench = await join(team, team.curator);
    const role = `zoe_${team.name}`;
    const lost = await invite(team, bench, role);
    await team.owner.query(`alter role ${role} password 'given'`);
    const zoe = await openTeamBench();
    await zoe.join(byInvitation(lost, 'given'), team.list);
    const asked = { serviceId, role, shown: 'Zoe', may: 'curate' } as const;
    expect(await bench.calls['team.invite'](asked)).toMatchObject({ hasPassword: false, isRenewed: false });
    await zoe.start();
    await zoe.until('live');
  });

  it('cannot invite themselves, which would reduce their access', async () => {
    const team = await createTeam();
    const bench = await join(team, team.curator);
    const { name: role } = team.curator.role;
    await expect(
      bench.calls['team.invite']({ serviceId, role, shown: 'Curator', may: 'read' }),
    ).rejects.toMatchObject({ error: { code: 'teamInvite', problem: 'yourself', role } });
    expect((await curationOf(bench)).areas[0]?.access).toEqual([
      { personId: team.curator.id, may: 'curate' },
    ]);
  });

  it('does not invite a superuser, whom the server shows everything whatever their access', async () => {
    const team = await createTeam();
    const bench = await join(team, team.curator);
    const { rows } = await team.owner.query<{ role: string }>('select current_user as role');
    const role = rows[0]?.role ?? '';
    await expect(invite(team, bench, role)).rejects.toMatchObject({
      error: { code: 'teamInvite', problem: 'superuser', role },
    });
    expect((await curationOf(bench)).people).toHaveLength(1);
  });

  it('whose role an administrator made keeps the login, which may serve something else, and the curator is told', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const bench = await join(team, team.curator);
    const change = { serviceId, personId: anna.id };
    expect(await bench.calls['team.setPerson']({ ...change, shown: 'Anna Berg' })).toEqual({ left: [] });
    expect(await bench.calls['team.setPerson']({ ...change, isEnded: true })).toEqual({
      left: ['login', 'connections'],
    });
    expect((await curationOf(bench)).people).toContainEqual(
      expect.objectContaining({ id: anna.id, shown: 'Anna Berg', isEnded: true }),
    );
    expect(await anna.call('coffer.me()')).toBeNull();
    expect(await bench.calls['team.setPerson']({ ...change, isEnded: false })).toEqual({ left: [] });
    await expect(
      bench.calls['team.setPerson']({ serviceId, personId: 99, isEnded: true }),
    ).rejects.toMatchObject({ error: { code: 'notFound', what: 'teamPerson' } });
  });

  it('whose role an administrator closed is not let in by an invitation; nor is the group role of all members', async () => {
    const team = await createTeam();
    const bench = await join(team, team.curator);
    const closed = `closed_${team.name}`;
    await team.owner.query(`create role ${closed} nologin in role coffer_member`);
    // The curator may change it: up to PostgreSQL 15, a role that may make roles may change any.
    await team.owner.query(`grant ${closed} to ${team.curator.role.name} with admin option`);
    for (const role of [closed, 'coffer_member']) {
      await expect(invite(team, bench, role)).rejects.toMatchObject({
        error: { code: 'teamInvite', problem: 'closed', role },
      });
      const { rows } = await team.owner.query('select rolcanlogin from pg_roles where rolname = $1', [role]);
      expect(rows).toEqual([{ rolcanlogin: false }]);
    }
    expect((await curationOf(bench)).people).toHaveLength(1);
  });

  it('does not end them if nobody else curates, nor for a curator of only one of their lists', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const bench = await join(team, team.curator);
    const end = (personId: number) => bench.calls['team.setPerson']({ serviceId, personId, isEnded: true });
    await expect(end(team.curator.id)).rejects.toMatchObject(failsWith('lastCurator'));
    await expect(
      bench.calls['team.setAccess']({ serviceId, areaId: 1, personId: team.curator.id, may: 'contribute' }),
    ).rejects.toMatchObject(failsWith('lastCurator'));
    const other = ['Other', 'https://x', '/', '@', anna.role.name, 'anna'];
    await team.owner.query('select coffer.create_list_1($1, $2, $3, $4, $5, $6)', other);
    await expect(end(anna.id)).rejects.toMatchObject(failsWith('otherLists'));
  });
});

describe('what a list shares', () => {
  it('changes one setting at a time, and what is withdrawn leaves the server and the other computers', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 1);
    const stored = { incarnation: randomUUID(), stored_ms: Date.now(), length_bytes: 3 };
    await team.curator.push({ identifier: 'a', state: 0, ...stored, note: 'a note', source_name: 'a.txt' });
    const annas = await join(team, anna);
    await annas.until('live');
    const annasRow = async () =>
      (await annas.stores.catalogue.findByIdentifiers(serviceId, 'data', ['a'])).get('a');
    expect(await annasRow()).toMatchObject({ note: 'a note', sourceName: 'a.txt' });

    const bench = await join(team, team.curator);
    expect((await curationOf(bench)).list.holds).toEqual({ secrets: 0, notes: 1, fileNames: 1 });
    await bench.calls['team.setList']({ serviceId, shares: { secrets: true } });
    await team.curator.push({ kind: 1, identifier: 'key' });
    expect((await curationOf(bench)).list.holds).toEqual({ secrets: 1, notes: 1, fileNames: 1 });
    await bench.calls['team.setList']({ serviceId, shares: { notes: false, fileNames: false } });
    expect((await curationOf(bench)).list).toEqual({
      id: team.list,
      name: 'Files',
      address: 'https://files.example',
      shares: { secrets: true, notes: false, fileNames: false },
      holds: { secrets: 1, notes: 0, fileNames: 0 },
    });
    await eventually(async () => expect(await annasRow()).toMatchObject({ note: '', sourceName: null }));
  });
});

import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TeamAccessInput } from '../../shared/contract/team.ts';
import { fixture } from '../../../test-support/main/service/pfx.ts';
import { byInvitation, openTeamBench, serviceId } from '../../../test-support/main/team/team-bench.ts';
import { startHere } from '../../../test-support/main/team/start-here.ts';
import {
  curatorOf,
  mayAddMembers,
  newList,
  ownDatabase as openOwn,
} from '../../../test-support/main/team/own-database.ts';
import { startTeamServer } from '../../../test-support/main/team/team-database.ts';
import { readInvitation, writeFittingInvitation } from './invitation.ts';
import { migrate } from './schema/migrate.ts';
import { steps } from './schema/steps.ts';

const { createDatabase, createTeam, invitationOf, port } = startTeamServer();

const ownDatabase = async (rights: string, options?: string) =>
  openOwn(await createDatabase(options), port(), rights);

describe('the owner of a database', () => {
  it('looks, makes a list and its first curator, who joins and invites others', async () => {
    const own = await ownDatabase('createrole');
    await mayAddMembers(own);
    const { access, database } = own;
    const bench = await openTeamBench();
    const inspect = () => bench.calls['team.inspectToCreate']({ access });
    expect(await inspect()).toMatchObject({
      server: { database },
      isEncrypted: false,
      version: expect.stringMatching(/^\d+\.\d+$/) as string,
      problem: null,
      mayMakeRoles: true,
      lists: [],
    });
    const role = `anna_${database}`;
    const made = await bench.calls['team.create']({
      access,
      list: newList('Files'),
      // Also on PostgreSQL 15: she invites others.
      curator: curatorOf(role, 'all'),
    });
    expect(made).toMatchObject({ hasPassword: true, listId: 1 });
    // The owner's password is not stored.
    expect([...bench.secrets.entries.keys()]).toEqual([]);
    expect(await inspect()).toMatchObject({
      problem: null,
      lists: [{ id: 1, name: 'Files', address: 'https://files.example' }],
    });
    await bench.join(byInvitation(made.invitation), made.listId);
    await bench.until('live');
    const { invitation, hasPassword } = await bench.calls['team.invite']({
      serviceId,
      role: `ben_${database}`,
      shown: 'Ben',
      may: 'read',
    });
    expect(hasPassword).toBe(true);
    const ben = await openTeamBench();
    await ben.join(byInvitation(invitation), made.listId);
    await ben.until('live');

    // The same name again, and a curator for a list whose only one has lost their password.
    await expect(
      bench.calls['team.create']({ access, list: newList('Files'), curator: curatorOf(`x_${database}`) }),
    ).rejects.toMatchObject({ error: { code: 'teamCreate', problem: 'nameTaken', database } });
    const roles = await own.admin.query('select 1 from pg_roles where rolname = $1', [`x_${database}`]);
    expect(roles.rowCount).toBe(0);
    await expect(
      bench.calls['team.create']({ access, list: newList('X'), curator: curatorOf('é'.repeat(40)) }),
    ).rejects.toMatchObject({ error: { code: 'invalidInput', field: 'curator.role', problem: 'tooLong' } });
    const list = { kind: 'there', listId: 1 } as const;
    const asMembers = { access, list, curator: curatorOf('coffer_member') };
    await expect(bench.calls['team.create'](asMembers)).rejects.toMatchObject({
      error: { code: 'teamCreate', problem: 'closed', role: 'coffer_member' },
    });
    const { rows: us } = await own.admin.query<{ role: string }>('select current_user as role');
    const superuser = us[0]?.role ?? '';
    await expect(
      bench.calls['team.create']({ access, list, curator: curatorOf(superuser) }),
    ).rejects.toMatchObject({ error: { code: 'teamCreate', problem: 'superuser', role: superuser } });
    // As if Anna had been ended.
    await own.admin.query(`alter role ${role} nologin`);
    await bench.calls['team.create']({ access, list, curator: curatorOf(role) });
    const { rows } = await own.admin.query('select rolcanlogin from pg_roles where rolname = $1', [role]);
    expect(rows).toEqual([{ rolcanlogin: true }]);
    const named = await bench.calls['team.create']({
      access,
      list,
      curator: curatorOf(`carla_${database}`, 'no'),
    });
    const carla = await openTeamBench();
    await carla.join(byInvitation(named.invitation), 1);
    expect(await carla.calls['team.curation']({ serviceId })).toMatchObject({
      people: [{}, {}, { shown: 'Anna Berg' }],
    });
    await expect(
      bench.calls['team.create']({ access, list: { kind: 'there', listId: 9 }, curator: curatorOf('y') }),
    ).rejects.toMatchObject({ error: { code: 'notFound', what: 'teamList' } });
  });

  it('brings the schema of a team that was made earlier up to date by naming its curator again', async () => {
    const own = await ownDatabase('createrole');
    await mayAddMembers(own);
    const { access, admin, database, role: owner } = own;
    await admin.query(`set session authorization ${owner}`);
    await migrate(admin, steps.slice(0, 1));
    const role = `anna_${database}`;
    await admin.query(`create role ${role} login password 'known' in role coffer_member`);
    await admin.query("select coffer.create_list_1('Files', 'https://files.example', '/', '@', $1, 'Anna')", [
      role,
    ]);
    await admin.query('reset session authorization');
    const anna = await openTeamBench();
    const invitation = invitationOf({ name: database, list: 1 }, { role: { name: role, password: 'known' } });
    await expect(anna.join(byInvitation(invitation), 1)).rejects.toMatchObject({
      error: { code: 'teamServer', why: 'oldSchema' },
    });

    const bench = await openTeamBench();
    await bench.calls['team.create']({
      access,
      list: { kind: 'there', listId: 1 },
      curator: curatorOf(role),
    });
    const { rows } = await admin.query<{ number: number }>('select number from coffer.step order by 1');
    expect(rows.map(({ number }) => number)).toEqual(steps.map((_, at) => at + 1));
    await anna.join(byInvitation(invitation), 1);
    await anna.until('live');
  });

  it('gets another invitation if the answer with the first was lost', async () => {
    const own = await ownDatabase('createrole');
    await mayAddMembers(own);
    const { access, database } = own;
    let isLost = true;
    const bench = await openTeamBench((onEvent) => {
      const thread = startHere(onEvent);
      const create: typeof thread.server.create = async (wanted) => {
        const answer = await thread.server.create(wanted);
        return isLost ? { problem: { why: 'closed', code: '' } } : answer;
      };
      return { ...thread, server: { ...thread.server, create } };
    });
    const curator = curatorOf(`anna_${database}`);
    await expect(
      bench.calls['team.create']({ access, list: newList('Files'), curator }),
    ).rejects.toMatchObject({ error: { code: 'teamServer', why: 'closed' } });
    isLost = false;
    const list = { kind: 'there', listId: 1 } as const;
    const made = await bench.calls['team.create']({ access, list, curator });
    expect(made).toMatchObject({ hasPassword: true, isRenewed: true });
    await bench.join(byInvitation(made.invitation), made.listId);
    expect(await bench.calls['team.create']({ access, list, curator })).toMatchObject({
      hasPassword: false,
      isRenewed: false,
    });
  });

  it('without the right to make roles names one that an administrator has made', async () => {
    const own = await ownDatabase('');
    await mayAddMembers(own);
    const { access, database, admin } = own;
    const bench = await openTeamBench();
    expect(await bench.calls['team.inspectToCreate']({ access })).toMatchObject({
      problem: null,
      mayMakeRoles: false,
    });
    const role = `anna_${database}`;
    const wish = { access, list: newList('Files'), curator: curatorOf(role) };
    await expect(bench.calls['team.create'](wish)).rejects.toMatchObject({
      error: { code: 'teamCreate', problem: 'noRole', role },
    });
    await admin.query(`create role ${role} login password 'known' in role coffer_member`);
    const made = await bench.calls['team.create'](wish);
    expect(made.hasPassword).toBe(false);
    await bench.join(byInvitation(made.invitation, 'known'), made.listId);
    await bench.until('live');
  });

  it('learns why no list can be made before anything is changed', async () => {
    const bench = await openTeamBench();
    const problemIn = async (access: TeamAccessInput) =>
      (await bench.calls['team.inspectToCreate']({ access })).problem;
    const others = await ownDatabase('createrole');
    await others.admin.query('create table shop (id int)');
    expect(await problemIn(others.access)).toBe('notEmpty');
    await expect(
      bench.calls['team.create']({ access: others.access, list: newList('Files'), curator: curatorOf('z') }),
    ).rejects.toMatchObject({ error: { code: 'teamCreate', problem: 'notEmpty' } });
    // Other programs may keep only functions or types there.
    await others.admin.query('drop table shop; create domain price as int');
    expect(await problemIn(others.access)).toBe('notEmpty');
    await others.admin.query('drop domain price; create function f() returns int language sql return 1');
    expect(await problemIn(others.access)).toBe('notEmpty');
    await others.admin.query('drop function f; create extension pgcrypto; create extension hstore');
    expect(await problemIn(others.access)).toBeNull();
    await others.admin.query('drop extension pgcrypto; drop extension hstore; create schema coffer');
    expect(await problemIn(others.access)).toBe('notOwner');
    await others.admin.query(`alter schema coffer owner to ${others.role}`);
    expect(await problemIn(others.access)).toBe('otherSchema');
    await others.admin.query('create table coffer.step (place text)');
    await others.admin.query(`alter table coffer.step owner to ${others.role}`);
    expect(await problemIn(others.access)).toBe('otherSchema');

    const latin = await ownDatabase('createrole', "encoding 'LATIN1' locale 'C' template template0");
    expect(await problemIn(latin.access)).toBe('encoding');
    const { admin, access, database } = await ownDatabase('createrole');
    await admin.query(`alter database ${database} owner to postgres`);
    expect(await problemIn(access)).toBe('notOwner');
    await expect(
      bench.calls['team.inspectToCreate']({ access: { ...access, teamPassword: 'x' } }),
    ).rejects.toMatchObject({ error: { code: 'teamServer', why: 'login' } });
  });
});

describe('another computer of the same person', () => {
  it('uses the password of the first, which stays connected', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const first = await openTeamBench();
    await first.join(byInvitation(invitationOf(team, anna)), team.list);
    const { invitation, hasPassword } = await first.calls['team.inviteComputer']({ serviceId });
    expect(hasPassword).toBe(true);
    const second = await openTeamBench();
    await second.join(byInvitation(invitation), team.list);
    // From the second computer too, and with the same line again: a role has one password.
    const third = await openTeamBench();
    await third.join(
      byInvitation((await second.calls['team.inviteComputer']({ serviceId })).invitation),
      team.list,
    );
    for (const bench of [first, second, third]) {
      await bench.start();
      await bench.until('live');
    }
    // Each pushes as a client of its own.
    const clients = await Promise.all(
      [first, second, third].map(async (bench) => (await bench.stores.team.stateOf(serviceId))?.client),
    );
    expect(new Set(clients).size).toBe(3);
    await second.calls['team.signIn']({ serviceId, proof: { kind: 'invitation', invitation } });
    await first.start();
    await first.until('live');
  });

  it('gets no password if the person knows theirs', async () => {
    const team = await createTeam();
    const anna = await team.join('anna', 2);
    const first = await openTeamBench();
    const known = invitationOf(team, { role: { ...anna.role, password: null } });
    await first.join(byInvitation(known, anna.role.password), team.list);
    const { invitation, hasPassword } = await first.calls['team.inviteComputer']({ serviceId });
    expect(hasPassword).toBe(false);
    expect(readInvitation(invitation)).toMatchObject({ password: null, role: anna.role.name, from: 'anna' });
  });
});

describe('an invitation by a curator who trusts many authorities', () => {
  const place = { host: 'db.example', port: 5432, database: 'team', role: 'anna', list: 1, from: null };
  const [ca, other] = [fixture('ca.pem'), fixture('client-ca.pem')];
  const serverOf = (...pems: string[]) => ({
    certificates: async () => ({ value: pems.map((pem) => new X509Certificate(pem).fingerprint256) }),
  });
  const many = `${other}\n`.repeat(60) + ca;

  it('includes those that sign the server’s certificate when the whole file does not fit', async () => {
    const write = await writeFittingInvitation(serverOf(ca), { ...place, authority: many });
    const read = readInvitation(write({ password: 'x' }));
    expect(new X509Certificate(read.authority ?? '').fingerprint256).toBe(
      new X509Certificate(ca).fingerprint256,
    );
    const whole = `${other}\n${ca}`;
    const fitting = await writeFittingInvitation(serverOf(ca), { ...place, authority: whole });
    expect(readInvitation(fitting({ password: 'x' })).authority).toBe(whole);
  });

  it('refuses it when even those are too long', async () => {
    await expect(
      writeFittingInvitation(serverOf(other), { ...place, authority: many }),
    ).rejects.toMatchObject({ error: { code: 'teamInvite', problem: 'longAuthority' } });
  });
});

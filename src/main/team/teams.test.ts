import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { startHere } from '../../../test-support/main/team/start-here.ts';
import { byInvitation, openTeamBench, serviceId } from '../../../test-support/main/team/team-bench.ts';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../test-support/main/team/team-database.ts';

const { shareTeam, createTeam, invitationOf } = startTeamServer();

type Bench = Awaited<ReturnType<typeof openTeamBench>>;

const storedPassword = ({ secrets }: Bench) =>
  (JSON.parse(secrets.entries.get(`team:${serviceId}`) ?? 'null') as { password: string } | null)?.password;

/** Whether the role can log in to the server. */
const lets = (team: TeamDatabase, { id, role }: Member, password: string): Promise<boolean> =>
  team.connect({ id, role: { ...role, password } }).then(
    () => true,
    () => false,
  );

describe('an invitation', () => {
  it('leads to lists, and joining replaces its password with one that nobody knows', async () => {
    const team = await shareTeam();
    const anna = await team.join('anna', 2);
    const bench = await openTeamBench();
    const invitation = invitationOf(team, anna, 'Curator');
    expect(await bench.calls['team.readInvitation']({ invitation })).toMatchObject({
      from: 'Curator',
      hasPassword: true,
    });
    const access = byInvitation(invitation);
    expect(await bench.calls['team.inspect']({ access })).toMatchObject({
      isEncrypted: false,
      shown: 'anna',
      lists: [
        {
          id: team.list,
          name: 'Files',
          address: 'https://files.example',
          serviceIds: [serviceId],
          areas: [{ prefix: '', classification: null, may: 'contribute' }],
          sharesSecrets: false,
        },
      ],
    });
    expect(await lets(team, anna, anna.role.password)).toBe(true);

    await bench.join(access, team.list);
    await bench.until('live');
    expect(await bench.status()).toMatchObject({
      list: { name: 'Files' },
      me: anna.id,
      passwordStoredIn: 'keychain',
    });
    const password = storedPassword(bench) ?? '';
    expect(await lets(team, anna, anna.role.password)).toBe(false);
    expect(await lets(team, anna, password)).toBe(true);
    await expect(bench.join(access, team.list)).rejects.toMatchObject({
      error: { code: 'serviceInTeam', list: 'Files', problem: 'join' },
    });
    expect(bench.log.lines.join()).not.toMatch(new RegExp(`${password}|${anna.role.password}`));

    // The next start follows the list by itself.
    await bench.start();
    await bench.until('live');
  });

  it('without a keychain keeps its password, which would be lost with the session', async () => {
    const team = await shareTeam();
    const ben = await team.join('ben', 1);
    const bench = await openTeamBench();
    bench.secrets.usable = false;
    await bench.join(byInvitation(invitationOf(team, ben)), team.list);
    await bench.until('live');
    expect((await bench.status())?.passwordStoredIn).toBe('session');
    expect(await lets(team, ben, ben.role.password)).toBe(true);

    await bench.start();
    await bench.until('refused');
    expect((await bench.status())?.syncState).toEqual({ kind: 'refused', why: 'noPassword' });
    await bench.calls['team.signIn']({
      serviceId,
      proof: { kind: 'invitation', invitation: invitationOf(team, ben) },
    });
    await bench.until('live');
  });

  it('interrupted at any step lets the person join again', async () => {
    const team = await shareTeam();
    const cutAt = ['before', 'answer', 'copy'] as const;
    for (const step of cutAt) {
      const carla = await team.join('carla', 2);
      let isCut = false;
      const bench = await openTeamBench((onEvent) => {
        const thread = startHere(onEvent);
        const setVerifier: typeof thread.server.setVerifier = async (verifier) => {
          if (isCut || step === 'copy') return thread.server.setVerifier(verifier);
          isCut = true;
          if (step === 'answer') await thread.server.setVerifier(verifier);
          return { problem: { why: 'closed', code: '' } };
        };
        return { ...thread, server: { ...thread.server, setVerifier } };
      });
      if (step === 'copy') vi.spyOn(bench.stores.team, 'join').mockRejectedValueOnce(new Error('killed'));
      const access = byInvitation(invitationOf(team, carla));
      await expect(bench.join(access, team.list)).rejects.toThrow(step === 'copy' ? 'killed' : 'teamServer');
      expect(await bench.status()).toBeNull();
      await bench.start();
      await bench.join(access, team.list);
      await bench.until('live');
      expect(await lets(team, carla, storedPassword(bench) ?? '')).toBe(true);
      expect(await lets(team, carla, carla.role.password)).toBe(false);
    }
  });

  it('without a password asks for it, and stores the one that the person knows', async () => {
    const team = await shareTeam();
    const dan = await team.join('dan', 2);
    const bench = await openTeamBench();
    const invitation = invitationOf(team, { role: { ...dan.role, password: null } });
    await expect(bench.join(byInvitation(invitation), team.list)).rejects.toMatchObject({
      error: { code: 'teamPasswordMissing', role: dan.role.name },
    });
    await expect(bench.join(byInvitation(invitation, 'wrong'), team.list)).rejects.toMatchObject({
      error: { code: 'teamServer', why: 'login' },
    });
    expect(bench.secrets.entries.has(`team:${serviceId}`)).toBe(false);
    await bench.join(byInvitation(invitation, dan.role.password), team.list);
    expect(await lets(team, dan, dan.role.password)).toBe(true);
  });

  it('joins no list of another service, no unknown list, and not the service of this computer', async () => {
    const team = await shareTeam();
    const eva = await team.join('eva', 2);
    const bench = await openTeamBench();
    const access = byInvitation(invitationOf(team, eva));
    await bench.repository.update(serviceId, (service) => ({
      ...service,
      baseAddress: 'https://other.example',
    }));
    await expect(bench.join(access, team.list)).rejects.toMatchObject({
      error: {
        code: 'teamAddressDiffers',
        listAddress: 'https://files.example',
        serviceAddress: 'https://other.example',
      },
    });
    await expect(bench.join(access, 99)).rejects.toMatchObject({
      error: { code: 'notFound', what: 'teamList' },
    });
    await expect(
      bench.calls['team.join']({
        serviceId: bench.localId,
        access,
        list: team.list,
        sharesEarlier: false,
        anyAddress: true,
      }),
    ).rejects.toMatchObject({ error: { code: 'invalidInput', field: 'serviceId', problem: 'local' } });
    expect(await lets(team, eva, eva.role.password)).toBe(true);
    await bench.join(access, team.list, { anyAddress: true });
    expect(await bench.status()).not.toBeNull();
  });
});

describe('a service with a team', () => {
  async function joined(team: TeamDatabase, member: Member, startThread = startHere): Promise<Bench> {
    const bench = await openTeamBench(startThread);
    await bench.join(byInvitation(invitationOf(team, member)), team.list);
    await bench.until('live');
    return bench;
  }

  it('keeps its address, and its password goes to no other server', async () => {
    const team = await shareTeam();
    const bench = await joined(team, await team.join('fay', 2));
    await expect(bench.teams.requireMovable(serviceId)).rejects.toMatchObject({
      error: { code: 'serviceInTeam', problem: 'address' },
    });
    const invitation = invitationOf(team, await team.join('gus', 2));
    const proof = { kind: 'invitation', invitation } as const;
    await expect(bench.calls['team.signIn']({ serviceId, proof })).rejects.toMatchObject({
      error: { code: 'teamDiffers' },
    });
    await bench.start();
    await bench.until('live');
  });

  it('refuses a wrong password though the stored one works, and keeps the stored one', async () => {
    const team = await shareTeam();
    const uma = await team.join('uma', 2);
    const bench = await joined(team, uma);
    const stored = storedPassword(bench);
    const refused = { error: { code: 'teamServer', why: 'login' } };
    const proof = { kind: 'password', teamPassword: 'wrong' } as const;
    await expect(bench.calls['team.signIn']({ serviceId, proof })).rejects.toMatchObject(refused);
    const access = byInvitation(invitationOf(team, uma), 'wrong');
    await expect(bench.calls['team.inspect']({ access })).rejects.toMatchObject(refused);
    expect(storedPassword(bench)).toBe(stored);
    await bench.calls['team.retry']({ serviceId });
    await bench.until('live');

    // The invitation's password was replaced at joining, so it proves nothing that the stored one does not.
    const invited = { kind: 'invitation', invitation: invitationOf(team, uma) } as const;
    await bench.calls['team.signIn']({ serviceId, proof: invited });
    await bench.until('live');
  });

  it('says whether the person may contribute anywhere, also after that was changed', async () => {
    const team = await shareTeam();
    const vic = await team.join('vic', 1);
    const bench = await joined(team, vic);
    const mayContribute = async () => (await bench.status())?.mayContribute;
    expect(await mayContribute()).toBe(false);
    const before = bench.publisher.events.length;
    await team.curator.call('coffer.set_access_1(1, $1, 2::smallint)', vic.id);
    await eventually(async () => expect(await mayContribute()).toBe(true));
    await eventually(() => expect(bench.publisher.events.length).toBeGreaterThan(before));
  });

  it('of a person who was ended is refused once, and synchronising says so', async () => {
    const team = await shareTeam();
    const hal = await team.join('hal', 2);
    let opened = 0;
    const bench = await joined(team, hal, (onEvent) => {
      opened += 1;
      return startHere(onEvent);
    });
    await team.curator.call('coffer.set_person_1($1, $2, $3, true)', team.list, hal.role.name, 'hal');
    await bench.until('refused');
    await expect(bench.calls['team.sync']({ serviceId })).rejects.toMatchObject({
      error: { code: 'teamServer', why: 'ended', host: '127.0.0.1' },
    });
    const before = opened;
    const asked = { serviceId, kind: 'data', identifier: 'a.txt' } as const;
    await expect(bench.calls['team.history'](asked)).rejects.toMatchObject({
      error: { code: 'teamServer', why: 'ended' },
    });
    // Each try could bring the account nearer to being locked.
    expect(opened).toBe(before);
    await team.curator.call('coffer.set_person_1($1, $2, $3, false)', team.list, hal.role.name, 'hal');
    await bench.calls['team.retry']({ serviceId });
    await bench.until('live');
  });

  it('gets what others store at the next synchronisation of a command', async () => {
    const team = await shareTeam();
    const ivy = await team.join('ivy', 2);
    const bench = await joined(team, ivy);
    await bench.start(false);
    expect((await bench.status())?.syncState).toEqual({ kind: 'off' });
    await team.curator.push({
      identifier: 'a.txt',
      state: 0,
      seen_ms: Date.now(),
      incarnation: randomUUID(),
      length_bytes: 3,
      stored_ms: Date.now(),
    });
    expect(await bench.calls['team.sync']({ serviceId })).toEqual({ due: 0, setAside: 0 });
    const asked = { serviceId, kind: 'data', identifier: 'a.txt' } as const;
    expect((await bench.calls['team.history'](asked)).entries).toMatchObject([
      { person: team.curator.id, action: 'stored', bytes: null },
    ]);
    const query = { serviceId, kind: 'data', place: { kind: 'all' }, search: '' } as const;
    const sort = { column: 'identifier', direction: 'ascending' } as const;
    const { rows } = await bench.stores.catalogue.page({ ...query, sort }, 0, 10);
    expect(rows.map(({ identifier, state }) => [identifier, state])).toEqual([['a.txt', 'stored']]);
  });

  it('sets a note apart that lost to another, until its person chooses', async () => {
    const team = await shareTeam();
    const bench = await joined(team, await team.join('lin', 2));
    await bench.start(false);
    const change = { identifier: 'noted.txt', state: 0, seen_ms: Date.now() };
    await team.curator.push({ ...change, incarnation: randomUUID(), length_bytes: 3, stored_ms: Date.now() });
    await bench.calls['team.sync']({ serviceId });
    const found = await bench.stores.catalogue.findByIdentifiers(serviceId, 'data', ['noted.txt']);
    const id = found.get('noted.txt')?.id ?? 0;
    await bench.stores.catalogue.update([{ id, patch: { note: 'mine' } }]);
    await team.curator.push({ identifier: 'noted.txt', note: 'theirs', note_base: '' });
    await bench.calls['team.sync']({ serviceId });
    await bench.calls['team.sync']({ serviceId });
    const noteNow = async () => (await bench.stores.catalogue.getMany([id]))[0]?.note;
    expect(await noteNow()).toBe('theirs');
    const { entries } = await bench.calls['team.noteConflicts']({ serviceId });
    expect(entries).toMatchObject([{ objectId: id, identifier: 'noted.txt', mine: 'mine' }]);
    const noteConflictId = entries[0]?.id ?? 0;
    await bench.calls['team.resolve']({ serviceId, noteConflictId, use: 'mine' });
    expect(await noteNow()).toBe('mine');
    await bench.calls['team.sync']({ serviceId });
    const { rows } = await team.owner.query<{ note: string }>(
      "select note from coffer.object where identifier = 'noted.txt'",
    );
    expect(rows).toEqual([{ note: 'mine' }]);
    await expect(
      bench.calls['team.resolve']({ serviceId, noteConflictId, use: 'mine' }),
    ).rejects.toMatchObject({
      error: { code: 'notFound', what: 'keptApart' },
    });
    expect((await bench.calls['team.people']({ serviceId })).people).toContainEqual({
      id: team.curator.id,
      shown: 'Curator',
      isEnded: false,
    });
  });

  it('leaves it after sharing its changes, or without them, and removes its password', async () => {
    const team = await shareTeam();
    const bench = await joined(team, await team.join('jon', 2));
    const state = await bench.stores.team.stateOf(serviceId);
    vi.spyOn(bench.stores.team, 'stateOf').mockResolvedValue({ ...state, due: 3 } as never);
    await expect(
      bench.calls['team.leave']({ serviceId, keep: 'own', unshared: 'ask' }),
    ).rejects.toMatchObject({ error: { code: 'teamUnshared', count: 3 } });
    await expect(bench.teams.requireShared(serviceId)).rejects.toMatchObject({
      error: { code: 'teamUnshared', count: 3 },
    });
    vi.restoreAllMocks();
    await bench.teams.requireShared(serviceId);
    await bench.until('live');
    await bench.calls['team.leave']({ serviceId, keep: 'own', unshared: 'drop' });
    expect(await bench.status()).toBeNull();
    expect([...bench.secrets.entries.keys()]).toEqual([]);
    await expect(bench.calls['team.sync']({ serviceId })).rejects.toMatchObject({
      error: { code: 'notFound', what: 'team' },
    });
  });

  it('a command leaves it on a full disk, and clears the list later', async () => {
    const team = await shareTeam();
    const bench = await joined(team, await team.join('lou', 2));
    await bench.start(false);
    vi.spyOn(bench.stores.team, 'clear').mockRejectedValue(new Error('database or disk is full'));
    await bench.calls['team.leave']({ serviceId, keep: 'none', unshared: 'drop' });
    vi.restoreAllMocks();
    expect(await bench.status()).toBeNull();
    expect(bench.log.lines.join()).toContain('not cleared yet');
  });

  it('leaves it while a command synchronises it, which writes nothing to its list any more', async () => {
    const team = await shareTeam();
    const bench = await joined(team, await team.join('mel', 2));
    await bench.start(false);
    const syncing = bench.calls['team.sync']({ serviceId }).catch((cause: unknown) => cause);
    await bench.calls['team.leave']({ serviceId, keep: 'all', unshared: 'drop' });
    const apply = vi.spyOn(bench.stores.team, 'apply');
    expect(await syncing).toMatchObject({ error: { code: 'notFound', what: 'team' } });
    expect(apply).not.toHaveBeenCalled();
    expect(await bench.status()).toBeNull();
  });

  it('forgets it with the service, and ends its loop', async () => {
    const team = await shareTeam();
    const bench = await joined(team, await team.join('kim', 2));
    await bench.teams.removeService(serviceId);
    expect(await bench.stores.team.stateOf(serviceId)).toBeNull();
    expect([...bench.secrets.entries.keys()]).toEqual([]);
  });
});

describe('a curator', () => {
  async function curating(team: TeamDatabase): Promise<Bench> {
    const bench = await openTeamBench();
    await bench.join(byInvitation(invitationOf(team, team.curator)), team.list);
    return bench;
  }
  const ask = (role: string) => ({ serviceId, role, shown: 'Lea', may: 'contribute' }) as const;

  it('invites an existing role, and makes one only with the right to', async () => {
    const team = await createTeam();
    const bench = await curating(team);
    await expect(bench.calls['team.invite'](ask('lea'))).rejects.toMatchObject({
      error: { code: 'teamInvite', problem: 'noRole', role: 'lea' },
    });
    await team.owner.query(`create role lea login password 'known' in role coffer_member`);
    const found = await bench.calls['team.invite'](ask('lea'));
    expect(found.hasPassword).toBe(false);
    const lea = await openTeamBench();
    await lea.join(byInvitation(found.invitation, 'known'), team.list);
    await lea.until('live');

    await team.owner.query(`alter role ${team.curator.role.name} createrole`);
    await team.owner.query(`grant coffer_member to ${team.curator.role.name} with admin option`);
    const role = 'mia "the" 3rd';
    const made = await bench.calls['team.invite'](ask(role));
    expect(made.hasPassword).toBe(true);
    const mia = await openTeamBench();
    await mia.join(byInvitation(made.invitation), team.list);
    await mia.until('live');
    expect((await mia.status())?.server.role).toBe(role);
  });

  it('is the only one who invites', async () => {
    const team = await shareTeam();
    const nia = await team.join('nia', 2);
    const bench = await openTeamBench();
    await bench.join(byInvitation(invitationOf(team, nia)), team.list);
    await expect(bench.calls['team.invite'](ask('lea'))).rejects.toMatchObject({
      error: { code: 'teamInvite', problem: 'notCurator' },
    });
    await expect(bench.calls['team.invite'](ask('é'.repeat(40)))).rejects.toMatchObject({
      error: { code: 'invalidInput', field: 'role', problem: 'tooLong', limit: 63 },
    });
  });
});

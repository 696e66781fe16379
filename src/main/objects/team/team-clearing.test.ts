import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openTeamCopy, stored, type OpenTeamCopy } from '../../../../test-support/main/objects/team-copy.ts';

const incarnation = '0d1f7a52-6f0b-4b8e-9d0e-3f6c0f0f5a01';
const theirs = Array.from({ length: 900 }, (_, n) => `theirs ${String(1000 + n)}`);
/** Rows that are not cleared first. */
const [seen, noted, added, imported, uploaded, working] = theirs.slice(-6) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
let copy: OpenTeamCopy;

beforeEach(async () => {
  // Slices seem slow, so they stay at their minimum, and only the first runs before `leave` answers.
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1000));
  copy = await openTeamCopy();
  await copy.join();
  await copy.team.setPeople(copy.serviceId, [{ id: 8, shown: 'Ben', isEnded: false }]);
  await copy.apply(...theirs.map((identifier) => ({ identifier, ...stored(incarnation, 5) })));
  await copy.look('mine', 5);
  await copy.tellAll();
  await copy.apply({ identifier: 'mine', lengthBytes: 5 });
});
afterEach(() => {
  copy.close();
  vi.restoreAllMocks();
});

const count = () => Number(copy.db.prepare('SELECT count(*) AS found FROM object').get()?.['found']);
/** Simulates a full disk. @returns makes room */
function hold(): () => void {
  const full = `CREATE TEMP TRIGGER full BEFORE UPDATE ON main.team_clearing BEGIN SELECT RAISE(ABORT, 'full'); END`;
  copy.db.exec(full);
  return () => copy.db.exec('DROP TRIGGER full');
}
async function clearAll(): Promise<void> {
  while (await copy.team.clear(copy.serviceId));
}

describe('leaving a long list', () => {
  it.each([
    ['own', 1],
    ['none', 0],
    ['all', 901],
  ] as const)('with what is kept as %s goes on by itself after kills', async (keep, left) => {
    await copy.team.leave(copy.serviceId, keep);
    expect(await copy.team.stateOf(copy.serviceId)).toBeNull();
    expect(copy.sharedNames().length).toBeGreaterThan(600);
    for (let kills = 0; kills < 3; kills += 1) {
      copy.reopen();
      expect(await copy.team.clear(copy.serviceId)).toBe(true);
    }
    copy.reopen();
    await expect.poll(() => copy.areClearing()).toBe(false);
    expect(count()).toBe(left);
    expect(copy.sharedNames()).toEqual([]);
  });

  it('and keeping all of it makes it private: without names, and without passing others’ stores off as own', async () => {
    await copy.team.leave(copy.serviceId, 'all');
    await clearAll();
    expect(copy.row('theirs 1000')).not.toHaveProperty('storedBy');
    expect(copy.incarnationOf('theirs 1000')).toBeNull();
    expect(await copy.find('shared:yes')).toEqual([]);
  });

  it('keeps what this person stores, sees, writes, adds or imports meanwhile', async () => {
    await copy.team.leave(copy.serviceId, 'none');
    const makeRoom = hold();
    await copy.look(seen, 5);
    await copy.type(noted, 'mine');
    await copy.add(added);
    await copy.import(imported, 5);
    await copy.upload(uploaded, { lengthBytes: 6, sha256: 'c'.repeat(64) });
    const release = await copy.work(working);
    await copy.look('new', 5);
    expect(count()).toBeGreaterThan(600);
    makeRoom();
    copy.reopen();
    await clearAll();
    await release();
    const left = [seen, noted, added, imported, uploaded, working, 'new'];
    expect(count()).toBe(left.length);
    for (const identifier of left) expect(copy.row(identifier)).not.toBeNull();
    expect(copy.row(noted)).toMatchObject({ note: 'mine' });
    // It can be shared with another team, as it was stored here.
    expect(copy.incarnationOf(uploaded)).not.toBeNull();
  });

  it('counts what can be shared with the next team after clearing', async () => {
    await copy.upload('stored here', { lengthBytes: 6, sha256: 'c'.repeat(64) });
    await copy.tellAll();
    const own = copy.incarnationOf('stored here');
    await copy.apply({ identifier: 'stored here', incarnation: own, lengthBytes: 6, storedBy: 7 });
    await copy.team.leave(copy.serviceId, 'own');
    expect((await copy.team.earlier(copy.serviceId, true)).count).toBe(1);
  });

  it('ends before another team is joined, whose rows stay', async () => {
    await copy.team.leave(copy.serviceId, 'none');
    await copy.join({ list: 2 });
    expect(count()).toBe(0);
    await copy.apply({ identifier: seen });
    copy.reopen();
    await clearAll();
    expect(copy.sharedNames()).toEqual([seen]);
  });

  it('twice changes nothing, and clearing ends with the service', async () => {
    await copy.team.leave(copy.serviceId, 'own');
    await copy.team.leave(copy.serviceId, 'none');
    expect(count()).toBeGreaterThan(400);
    await copy.removeService();
    expect(await copy.team.clear(copy.serviceId)).toBe(false);
    expect(copy.areClearing()).toBe(false);
  });

  it('shows the list meanwhile, and refuses to join for a removed service', async () => {
    await copy.team.leave(copy.serviceId, 'own');
    const makeRoom = hold();
    expect((await copy.find('theirs')).length).toBe(100);
    makeRoom();
    const joining = copy.join({ list: 2 });
    await copy.removeService();
    await expect(joining).rejects.toMatchObject({ error: { code: 'notFound' } });
  });
});

describe('a large area that was taken away', () => {
  const access = [{ area: 1, may: 2, since: 's1' }] as const;
  beforeEach(async () => {
    await copy.team.setAccess(copy.serviceId, access, 1);
    await copy.team.beginFill(copy.serviceId, [1], { epoch: 'e', rev: 9000, tag: 't' });
    await copy.team.fillPage(
      copy.serviceId,
      [...theirs, 'mine']
        .toSorted()
        .map((identifier) => copy.teamRow({ identifier, ...stored(incarnation, 5) })),
      true,
    );
  });

  it('clears it in slices, even after a kill, except what is this person’s', async () => {
    await copy.find('theirs');
    expect(await copy.team.setAccess(copy.serviceId, [], 2)).toEqual([]);
    expect(count()).toBeGreaterThan(600);
    await copy.look(seen, 5);
    copy.reopen();
    await expect.poll(() => copy.areClearing()).toBe(false);
    expect(count()).toBe(2);
    expect(copy.sharedNames()).toEqual([]);
    expect(await copy.find('shared:no')).toEqual(['mine', seen]);
  });

  it('shows as private what was added or imported meanwhile', async () => {
    await copy.find('theirs');
    await copy.team.setAccess(copy.serviceId, [], 2);
    const makeRoom = hold();
    await copy.add(added);
    await copy.import(imported, 5);
    makeRoom();
    await clearAll();
    expect(await copy.find('shared:no')).toEqual(['mine', added, imported]);
    expect(await copy.find('shared:yes')).toEqual([]);
  });

  it('and given back meanwhile is filled once clearing has ended', async () => {
    await copy.team.setAccess(copy.serviceId, [], 2);
    expect(await copy.team.setAccess(copy.serviceId, [{ area: 1, may: 1, since: 's2' }], 3)).toEqual([1]);
    expect(await copy.team.clear(copy.serviceId)).toBe(true);
    await clearAll();
    await copy.apply({ identifier: seen });
    await clearAll();
    expect(copy.sharedNames()).toEqual([seen]);
    expect(count()).toBe(2);
  });
});

it('a fill drops any number of rows that did not come, except own ones', async () => {
  await copy.team.setAccess(copy.serviceId, [{ area: 1, may: 2, since: 's1' }], 1);
  const more = Array.from({ length: 4200 }, (_, n) => `until ${String(10_000 + n)}`);
  await copy.apply(...more.map((identifier) => ({ identifier })));
  await copy.type('until 13000', 'mine');
  await copy.team.serverForgot(copy.serviceId, 0);
  await copy.team.beginFill(copy.serviceId, [1], { epoch: 'e', rev: 9000, tag: 't' });
  const came = ['theirs 1001', 'until 12500'].map((identifier) => copy.teamRow({ identifier }));
  await copy.team.fillPage(copy.serviceId, came, true);
  expect(copy.sharedNames()).toEqual(['theirs 1001', 'until 12500']);
  expect(count()).toBe(4);
  expect(copy.row('until 13000')).toMatchObject({ note: 'mine' });
});

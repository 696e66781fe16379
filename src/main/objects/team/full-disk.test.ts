import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  openTeamCopy,
  type OpenTeamCopy,
} from '../../../../test-support/main/objects/team-copy.ts';

let copy: OpenTeamCopy;
beforeEach(async () => {
  copy = await openTeamCopy();
  await copy.join();
  await copy.apply({ identifier: 'before' });
});
afterEach(() => copy.close());

const there = () => ['a', 'b', 'c'].filter((name) => copy.row(name) !== null);
const cursorNow = async () => (await copy.team.stateOf(copy.serviceId))?.cursor;

/** SQLite undoes only the statement, or the whole transaction. */
describe.each(['ABORT', 'ROLLBACK'])('a full disk with %s', (takeBack) => {
  /** @param write the statement that fails. @returns makes room */
  function fill(write: string): () => void {
    copy.db.exec(
      `CREATE TEMP TRIGGER full BEFORE ${write} BEGIN SELECT RAISE(${takeBack}, 'database or disk is full'); END`,
    );
    return () => copy.db.exec('DROP TRIGGER full');
  }

  it('takes neither a page of changes nor the place in the feed, and both later', async () => {
    const cursor = await cursorNow();
    expect(cursor).not.toBeNull();
    const page = ['a', 'b', 'c'].map((identifier) => copy.teamRow({ identifier }));
    const makeRoom = fill(`INSERT ON main.object WHEN NEW.identifier = 'c'`);
    await expect(copy.applyPage(page)).rejects.toThrow('full');
    expect(there()).toEqual([]);
    expect(await copy.find('')).toEqual(['before']);
    expect(await cursorNow()).toEqual(cursor);
    makeRoom();
    await copy.applyPage(page);
    expect(await copy.find('')).toEqual(['a', 'b', 'before', 'c']);
    expect((await cursorNow())?.rev).toBe(copy.lastRev);
  });

  it('takes no part of a page of a fill, which continues before it', async () => {
    const head = { epoch: 'e', rev: 40, tag: 't40' };
    await copy.team.beginFill(copy.serviceId, [1], head);
    const page = ['a', 'b', 'before', 'c'].map((identifier) => copy.teamRow({ identifier, rev: 30 }));
    const fillOf = async () => (await copy.team.stateOf(copy.serviceId))?.fill;
    const begun = await fillOf();
    const makeRoom = fill(`INSERT ON main.object WHEN NEW.identifier = 'c'`);
    await expect(copy.team.fillPage(copy.serviceId, page, true)).rejects.toThrow('full');
    expect(there()).toEqual([]);
    expect(await fillOf()).toEqual(begun);
    makeRoom();
    await copy.team.fillPage(copy.serviceId, page, true);
    expect(there()).toEqual(['a', 'b', 'c']);
    expect(await fillOf()).toBeNull();
  });

  it('keeps a push whose answer was not stored, byte for byte', async () => {
    await copy.look('a', 5);
    const push = await copy.nextPush();
    const answer = accepted(copy.lastRev + 1);
    const makeRoom = fill('DELETE ON main.team_flight');
    await expect(copy.team.acknowledge(copy.serviceId, push?.seq ?? 0, answer)).rejects.toThrow('full');
    expect(await copy.nextPush()).toEqual(push);
    makeRoom();
    await copy.team.acknowledge(copy.serviceId, push?.seq ?? 0, answer);
    expect(await copy.nextPush()).toBeNull();
  });
});

import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../../test-support/eventually.ts';
import { openTeamCopy, type OpenTeamCopy } from '../../../test-support/main/objects/team-copy.ts';
import { followTeam, joinAs } from '../../../test-support/main/team/follow-team.ts';
import { rowsOf, rowsOfServer, untilEqual } from '../../../test-support/main/team/list-rows.ts';
import { startTcpProxy } from '../../../test-support/main/team/tcp-proxy.ts';
import {
  startTeamServer,
  type Member,
  type TeamDatabase,
} from '../../../test-support/main/team/team-database.ts';
import { createRandom } from '../../../test-support/random.ts';
import type { TeamCopy } from '../objects/team/team-copy.ts';

const { createTeam, port } = startTeamServer();

/** A computer with a real database, in which each step may be killed. */
async function openComputer(team: TeamDatabase, member: Member, through = port(), sharesEarlier = false) {
  const computer = await openTeamCopy(() => Date.now());
  onTestFinished(() => computer.close());
  await computer.join({ ...joinAs(team, member, through), sharesEarlier });
  const calls = { before: () => undefined as void };
  const copy = new Proxy({} as TeamCopy, {
    get:
      (_, name: keyof TeamCopy) =>
      async (...args: never[]) => {
        calls.before();
        const answer = await (computer.team[name] as (...given: never[]) => Promise<unknown>)(...args);
        calls.before();
        return answer;
      },
  });
  return { computer, copy, calls };
}

const follow = (member: Member, { copy, computer }: { copy: TeamCopy; computer: OpenTeamCopy }) =>
  followTeam(computer.serviceId, member, copy);

describe('the database’s copy of a team’s list', () => {
  it('fills, follows, and tells', async () => {
    const team = await createTeam();
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const a = await openComputer(team, anna);
    const b = await openComputer(team, ben);
    await a.computer.upload('report', { lengthBytes: 5, sha256: 'a'.repeat(64), classification: 'Public' });
    const [followsA, followsB] = [follow(anna, a), follow(ben, b)];
    await followsA.until('live');
    await followsB.until('live');
    await eventually(() =>
      expect(rowsOf(b.computer)).toMatchObject([{ identifier: 'report', bytes: 5, rev: 1 }]),
    );
    await b.computer.type('report', 'from Ben');
    followsB.sync.noteChange();
    await eventually(() => expect(a.computer.row('report')?.note).toBe('from Ben'));
  });

  it('tells of secrets only while the list shares them', async () => {
    const team = await createTeam();
    const { curator, list } = team;
    const [anna, ben] = [await team.join('anna', 2), await team.join('ben', 2)];
    const [a, b] = [await openComputer(team, anna), await openComputer(team, ben)];
    const [followsA, followsB] = [follow(anna, a), follow(ben, b)];
    await a.computer.addSecret('key');
    await a.computer.look('report', 5);
    await followsA.sync.sync();
    await followsB.until('live');
    expect(await rowsOfServer(team.owner)).toMatchObject([{ identifier: 'report' }]);
    expect(await a.computer.team.stateOf(a.computer.serviceId)).toMatchObject({ due: 0, refused: 0 });
    const isThere = async (expected: boolean) => {
      await eventually(() => expect(b.computer.row('key', 'secret') !== null).toBe(expected));
      expect(a.computer.row('key', 'secret')).toMatchObject({ state: 'unknown' });
    };
    for (const shares of [true, false, true]) {
      await curator.call('coffer.set_list_1($1, $2, true, true)', list, shares);
      await isThere(shares);
    }
    await curator.call('coffer.set_list_1($1, false, true, true)', list);
    await curator.call('coffer.set_list_1($1, true, true, true)', list);
    const keys = () => team.owner.query("select from coffer.object where identifier = 'key'");
    await eventually(async () => expect((await keys()).rowCount).toBe(1));
  });

  it('ends equal to the server’s and the other’s, whichever step is cut off or repeated', async () => {
    const team = await createTeam();
    const random = createRandom(25);
    const members = [await team.join('anna', 2), await team.join('ben', 2)];
    const computers: (Awaited<ReturnType<typeof openComputer>> & ReturnType<typeof follow>)[] = [];
    for (const member of members) {
      const proxy = await startTcpProxy(port);
      const opened = await openComputer(team, member, proxy.port);
      opened.calls.before = () => {
        if (random() < 0.06) throw new Error('killed');
        if (random() < 0.1) {
          const direction = random() < 0.5 ? 'up' : 'down';
          proxy.cutAfter(direction, Math.ceil(random() * 400), random() < 0.5 ? 'reset' : 'close');
        }
      };
      computers.push({ ...opened, ...follow(member, opened) });
    }
    for (let round = 0; round < 10; round += 1) {
      for (const [at, { computer, sync }] of computers.entries()) {
        const name = `${String(at)}/${String(round)}`;
        await computer.upload(name, { lengthBytes: round, sha256: 'b'.repeat(64) });
        await computer.look('both', round + at);
        await computer.type('both', `${name}`);
        if (round % 3 === 0 && round > 0) await computer.remove(`${String(at)}/${String(round - 1)}`);
        await sync.sync();
      }
    }
    for (const { calls } of computers) calls.before = () => undefined;
    for (const { sync } of computers) await sync.sync();
    await untilEqual(team.owner, ...computers.map(({ computer }) => computer));
    expect(await rowsOfServer(team.owner)).not.toEqual([]);
    // Exactly once: no client has more pushes than it has sent.
    const { rows } = await team.owner.query(
      `select from coffer.push join coffer.client on client.id = push.client
       group by client.id having count(*) > client.seq`,
    );
    expect(rows).toEqual([]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  accepted,
  openTeamCopy,
  stored,
  type OpenTeamCopy,
} from '../../../../test-support/main/objects/team-copy.ts';
import type { TeamRow } from './team-copy.ts';

let copy: OpenTeamCopy;
beforeEach(async () => {
  copy = await openTeamCopy();
  await copy.join();
});
afterEach(() => copy.close());

const incarnation = '0d1f7a52-6f0b-4b8e-9d0e-3f6c0f0f5a01';
const accessOf = (...areas: number[]) => areas.map((area) => ({ area, may: 2, since: 's' }) as const);

async function fill(areas: number[], rows: readonly TeamRow[], rev: number): Promise<void> {
  const wanted = await copy.team.setAccess(copy.serviceId, accessOf(...areas), rev);
  await copy.team.beginFill(copy.serviceId, wanted, { epoch: 'e', rev, tag: `t${String(rev)}` });
  await copy.team.fillPage(copy.serviceId, rows, true);
}

/** A row as the server had it before. */
const earlier = (row: Partial<TeamRow> & { identifier: string }, rev: number) => ({
  ...copy.teamRow(row),
  rev,
});

describe('after a server was set back', () => {
  it('others’ rows are taken although their numbers are lower than before', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.apply(...Array.from({ length: 20 }, (_, n) => ({ identifier: `b${String(n)}` })));
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.team.serverForgot(copy.serviceId, 0);
    await fill([1], [], 0);
    await copy.nextPush();
    await copy.team.acknowledge(copy.serviceId, 3, accepted(1));
    const row = earlier({ identifier: 'a', ...stored(incarnation, 5), note: 'theirs' }, 2);
    await copy.applyPage([row], [], { epoch: 'e', rev: 2, tag: 't2' });
    expect(copy.row('a')).toMatchObject({ note: 'theirs' });
    expect(copy.incarnationOf('a')).toBe(incarnation);
  });

  it('rows that it no longer has are dropped, even those of a lost area, except what was seen here', async () => {
    await fill(
      [1, 2],
      [copy.teamRow({ identifier: 'kept' }), copy.teamRow({ identifier: 'closed', area: 2 })],
      2,
    );
    await copy.apply({ identifier: 'lost' });
    await copy.look('told', 5);
    await copy.tellAll();
    await copy.team.serverForgot(copy.serviceId, 1);
    await fill([1], [earlier({ identifier: 'kept' }, 1)], 1);
    const left = ['closed', 'kept', 'lost', 'told'].filter((identifier) => copy.row(identifier) !== null);
    expect(left).toEqual(['kept', 'told']);
    expect(copy.sharedNames()).toEqual(['kept']);
    expect(await copy.team.stateOf(copy.serviceId)).toMatchObject({ due: 1 });
  });

  it('pushes again what got no answer', async () => {
    await copy.look('a', 5);
    const push = await copy.nextPush();
    await copy.team.serverForgot(copy.serviceId, 0);
    const again = await copy.nextPush();
    expect(again).toMatchObject({ seq: 1, before: null, changes: push?.changes });
    expect(again?.client).not.toBe(push?.client);
  });

  it('its row of an object that a transfer owns is applied when the transfer ends', async () => {
    await copy.look('a', 5);
    await copy.tellAll();
    await copy.apply({ identifier: 'a', lengthBytes: 5 }, { identifier: 'b' });
    const end = await copy.work('a');
    await copy.team.serverForgot(copy.serviceId, 1);
    await fill([1], [earlier({ identifier: 'a', lengthBytes: 5, note: 'before' }, 1)], 1);
    await end();
    expect(copy.row('a')).toMatchObject({ note: 'before' });
    expect(copy.sharedNames()).toEqual(['a']);
  });
});

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
});
afterEach(() => copy.close());

const access = [{ area: 1, may: 2, since: 's' }] as const;
const share = (secrets: boolean, since = 's') =>
  copy.team.setSecretsSince(copy.serviceId, secrets ? since : null);
const state = () => copy.team.stateOf(copy.serviceId);

async function told(): Promise<string[]> {
  const push = await copy.nextPush();
  const changes = JSON.parse(push?.changes ?? '[]') as { identifier: string }[];
  return changes.map(({ identifier }) => identifier);
}

/** Fills the list like a session after `setSecretsSince`. @param rows the server's */
async function fill(...rows: ReturnType<OpenTeamCopy['teamRow']>[]): Promise<void> {
  const areas = await copy.team.setAccess(copy.serviceId, access, 1);
  await copy.team.beginFill(copy.serviceId, areas, { epoch: 'e', rev: copy.lastRev, tag: 't' });
  await copy.team.fillPage(copy.serviceId, rows, true);
}

describe('a secret', () => {
  it('holds it back until the list shares secrets, and does not count it as due', async () => {
    await copy.addSecret('key');
    await copy.look('file', 5);
    expect(await told()).toEqual(['file']);
    await copy.tellAll();
    expect(await state()).toMatchObject({ due: 0, refused: 0 });
    await share(true);
    expect(await state()).toMatchObject({ due: 1 });
    expect(await told()).toEqual(['key']);
  });

  it('that the server has refused waits, and does not count as set aside', async () => {
    await share(true);
    await copy.addSecret('key');
    const push = await copy.nextPush();
    const answer = accepted(0, { refused: [[1, 'secrets']] });
    await copy.team.acknowledge(copy.serviceId, push?.seq ?? 0, answer);
    await share(false);
    await copy.team.setAccess(copy.serviceId, access, 2);
    expect(await state()).toMatchObject({ due: 0, refused: 0 });
    await share(true);
    expect(await told()).toEqual(['key']);
  });

  it('drops it when sharing is withdrawn, except one’s own, which it tells again later', async () => {
    await share(true);
    await fill(copy.teamRow({ identifier: 'theirs', kind: 'secret', state: 'unknown' }));
    await copy.addSecret('mine');
    await copy.tellAll();
    await copy.apply({ identifier: 'mine', kind: 'secret', state: 'unknown', seenMs: 0, seenBy: 7 });
    await share(false);
    expect(await state()).toMatchObject({ cursor: null });
    await fill();
    expect([copy.row('theirs', 'secret'), copy.row('mine', 'secret')?.state]).toEqual([null, 'unknown']);
    expect(copy.sharedNames()).toEqual([]);
    expect(await told()).toEqual([]);
    await share(true);
    expect(await told()).toEqual(['mine']);
  });

  it('tells it again if sharing was withdrawn and resumed between two reads', async () => {
    await share(true);
    await fill(copy.teamRow({ identifier: 'theirs', kind: 'secret', state: 'unknown' }));
    await copy.addSecret('mine');
    await copy.tellAll();
    await share(true, 'another');
    await fill();
    expect([copy.row('theirs', 'secret'), copy.row('mine', 'secret')?.state]).toEqual([null, 'unknown']);
    expect(await told()).toEqual(['mine']);
  });

  it('in a push that may have been sent is not sent again once sharing is withdrawn', async () => {
    await share(true);
    await copy.addSecret('key');
    await copy.look('file', 5);
    expect(await told()).toEqual(['key', 'file']);
    await share(false);
    expect(await told()).toEqual(['file']);
    expect(await copy.nextPush()).toMatchObject({ seq: 1, before: null });
  });
});

it('does not read again a list whose sharing has not changed', async () => {
  await share(true);
  await fill();
  await share(true);
  expect(await state()).toMatchObject({ cursor: { rev: 0 } });
});

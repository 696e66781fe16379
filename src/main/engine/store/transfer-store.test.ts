import { describe, expect, it } from 'vitest';
import { openTestDatabase } from '../../test-ports.ts';
import type { NewTransfer } from '../store-types.ts';

const origin = 'https://one.example';
const download = (objectId: number, identifier = `d/${String(objectId)}`): NewTransfer => ({
  profileId: 'p1',
  origin,
  kind: 'data',
  route: 'direct',
  direction: 'download',
  identifier,
  totalBytes: 10,
  priority: 'normal',
  isPaused: false,
  work: { kind: 'download', saveAsPath: null },
  createdAtMs: 1,
  objectId,
  newRow: null,
});
describe('records', () => {
  it('are counted, moved, claimed and cancelled', async () => {
    const { transfers, documents } = await openTestDatabase();
    await documents.put('profiles', 'p1', {});
    const given = await transfers.enqueue('p1', [download(1), download(2), download(3)]);
    expect(given).toHaveLength(3);
    expect(await transfers.counts()).toEqual([
      { profileId: 'p1', tab: 'transfers', state: 'waiting', count: 3, totalBytes: 30 },
    ]);
    await transfers.move([3], 'top');
    const claimed = await transfers.claim({
      profileId: 'p1',
      lane: 'small',
      limit: 2,
      includesIdle: true,
      origin,
    });
    expect(claimed.map(({ id }) => id)).toEqual([3, 1]);
    expect(await transfers.cancel({ kind: 'all' })).toBe(1);
    expect(await transfers.counts()).toEqual([
      { profileId: 'p1', tab: 'transfers', group: 'running', count: 2, totalBytes: 20 },
      { profileId: 'p1', tab: 'transfers', group: 'done', count: 1, totalBytes: 10 },
    ]);
  });
});

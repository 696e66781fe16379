import { expect, it } from 'vitest';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import { joinLookups } from './join-lookups.ts';

/** A store that answers when the test says so. */
function setUp() {
  const asked: { readonly ids: readonly number[]; answer: () => void; fail: () => void }[] = [];
  const rows = joinLookups(async (ids) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    asked.push({ ids, answer: resolve, fail: () => reject(new Error('The disk is gone')) });
    await promise;
    return ids.map((id) => ({ record: { id } as ObjectRecord, epoch: 0 }));
  });
  const idsOf = async (...ids: number[]) => (await rows(ids)).map(({ record }) => record.id);
  return { asked, idsOf };
}

it('looks up all rows requested during another lookup at once, and gives each caller its own', async () => {
  const { asked, idsOf } = setUp();
  const first = idsOf(1);
  await expect.poll(() => asked.length).toBe(1);
  const others = [idsOf(2), idsOf(3, 2)];
  asked[0]?.answer();
  expect(await first).toEqual([1]);
  await expect.poll(() => asked.length).toBe(2);
  expect(asked[1]?.ids).toEqual([2, 3]);
  asked[1]?.answer();
  expect(await Promise.all(others)).toEqual([[2], [2, 3]]);
});

it('continues after a failed lookup', async () => {
  const { asked, idsOf } = setUp();
  const first = idsOf(1);
  await expect.poll(() => asked.length).toBe(1);
  const second = idsOf(1);
  asked[0]?.fail();
  await expect(first).rejects.toThrow('The disk is gone');
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer();
  expect(await second).toEqual([1]);
});

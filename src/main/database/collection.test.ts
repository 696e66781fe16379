import { expect, it } from 'vitest';
import { z } from 'zod';
import { openTestDatabase } from '../../../test-support/main/test-ports.ts';
import { openCollection, openDocument } from './collection.ts';

const schema = z.object({ count: z.number() });
type Count = z.infer<typeof schema>;
const oneMore = (value: Count | undefined) => ({ count: (value?.count ?? 0) + 1 });

it('reads what was written before, and leaves documents that do not fit', async () => {
  const { documents } = await openTestDatabase();
  await (await openCollection(documents, 'counts', schema)).set('a', { count: 1 });
  await documents.put('counts', 'b', { count: 'two' });
  const broken: string[] = [];
  const counts = await openCollection(documents, 'counts', schema, (key, { issues }) => {
    broken.push(`${key}: ${issues[0]?.path.join('.')}`);
  });
  expect(counts.entries()).toEqual([['a', { count: 1 }]]);
  expect(broken).toEqual(['b: count']);
  await counts.delete('a');
  expect(counts.values()).toEqual([]);
  expect(await documents.list('counts')).toEqual([{ key: 'b', value: { count: 'two' } }]);
});

it('loses no concurrent change, and a failure concerns only its own', async () => {
  const { documents } = await openTestDatabase();
  const counts = await openCollection(documents, 'counts', schema);
  const fail = () => {
    throw new Error('not now');
  };
  const [, failed] = await Promise.allSettled([
    counts.update('a', oneMore),
    counts.update('a', fail),
    counts.update('a', oneMore),
  ]);
  expect(failed.status).toBe('rejected');
  expect(counts.get('a')).toEqual({ count: 2 });
  expect(await documents.get('counts', 'a')).toEqual({ count: 2 });
});

it('shows a change when it is durable, and never when it could not be written', async () => {
  const { documents } = await openTestDatabase();
  const counts = await openCollection(documents, 'counts', schema);
  const written = counts.set('a', { count: 1 });
  expect(counts.get('a')).toBeUndefined();
  await written;
  expect(counts.get('a')).toEqual({ count: 1 });
  documents.write = () => Promise.reject(new Error('disk full'));
  await expect(counts.set('a', { count: 2 })).rejects.toThrow('disk full');
  await expect(counts.delete('a')).rejects.toThrow('disk full');
  expect(counts.get('a')).toEqual({ count: 1 });
});

it('a document is its initial value until it is set, and then at once the new one', async () => {
  const { documents } = await openTestDatabase();
  const open = () => openDocument(documents, ['app', 'count'], schema, { count: 0 });
  await documents.put('app', 'count', 'broken');
  const document = await open();
  expect(document.get()).toEqual({ count: 0 });
  const written = document.set({ count: 1 });
  expect(document.get()).toEqual({ count: 1 });
  await written;
  expect((await open()).get()).toEqual({ count: 1 });
});

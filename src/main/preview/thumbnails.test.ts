import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openTestDatabase } from '../../../test-support/main/test-ports.ts';
import type { Thumbnail } from '../../shared/domain/preview.ts';
import type { ObjectPatch } from '../../shared/domain/object-changes.ts';
import type { TransferRecord } from '../transfers/model/record.ts';
import { createThumbnailKey, createThumbnailStore } from './thumbnail-store.ts';
import { createThumbnails, createUploadedFiles } from './thumbnails.ts';

const digest = 'a'.repeat(64);
const picture: Thumbnail = { kind: 'picture', base64: Buffer.from('a small picture').toString('base64') };

async function open({ maxBytes = 1_000_000 } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'coffer-thumbnails-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { catalogue } = await openTestDatabase();
  const entries = new Map<string, string>();
  const keychain = {
    get: async (account: string) => entries.get(account) ?? null,
    set: async (account: string, value: string) => void entries.set(account, value),
    delete: async (account: string) => void entries.delete(account),
  };
  const automatic = new Set<string | null>([null]);
  const found: boolean[] = [];
  /** As after a start of Coffer. */
  function start() {
    let nowMs = 1_000_000;
    const uploaded = createUploadedFiles();
    const store = createThumbnailStore({
      folder,
      key: createThumbnailKey(keychain, 'install'),
      clock: { nowMs: () => (nowMs += 10_000) },
      maxBytes,
    });
    const own = createThumbnails({
      store,
      catalogue,
      uploaded,
      choices: { isAutomatic: (_serviceId, classification) => automatic.has(classification) },
      async findPreview(record, mayFetch) {
        found.push(mayFetch);
        if (mayFetch) return { kind: 'image', url: 'fetched' };
        return uploaded.pathsOf(record.id).length > 0 ? { kind: 'image', url: 'local' } : null;
      },
    });
    const { handlers } = own;
    return {
      ...own,
      uploaded,
      show: (id: number) => handlers['objects.thumbnail']({ id }),
      keep: (id: number) => handlers['objects.keepThumbnail']({ id, sha256: digest, thumbnail: picture }),
      next: async () => (await handlers['objects.nextThumbnail'](undefined)).object,
      hears: (objectId: number, work: object) =>
        own.uploadEnded({
          objectId,
          state: { name: 'done' },
          work: { kind: 'upload', path: '', ...work },
        } as TransferRecord),
    };
  }
  let count = 0;
  async function add(patch: ObjectPatch = {}, identifier = `photos/${(count += 1)}.png`) {
    const [added] = await catalogue.add('p', [
      {
        kind: 'data',
        identifier,
        patch: { state: 'stored', sha256: digest, lengthBytes: 10, ...patch },
      },
    ]);
    return added?.record.id ?? 0;
  }
  const files = () => readdir(folder);
  return { ...start(), start, add, catalogue, folder, files, automatic, found, keychain: entries };
}

it('shows a kept thumbnail after a restart, without its file', async () => {
  const { start, add, keep } = await open();
  const id = await add();
  await keep(id);
  const { show } = start();
  expect(await show(id)).toEqual({ thumbnail: picture, preview: null });
});

it('writes nothing of the picture in the clear', async () => {
  const { add, keep, files, folder } = await open();
  await keep(await add());
  const [name = ''] = await files();
  const bytes = await readFile(join(folder, name));
  expect(bytes.includes(picture.kind)).toBe(false);
  expect(bytes.includes('small picture')).toBe(false);
});

it('never shows the picture of bytes that were replaced', async () => {
  const { add, keep, show, catalogue, trim, files } = await open();
  const id = await add();
  await keep(id);
  await catalogue.update([{ id, patch: { sha256: 'b'.repeat(64) } }]);
  expect(await show(id)).toMatchObject({ thumbnail: null });
  await keep(id); // made of the old bytes
  expect(await show(id)).toMatchObject({ thumbnail: null });
  await trim();
  expect(await files()).toEqual([]);
});

it('does not take the file of another object for its own', async () => {
  const { start, add, keep, folder, files } = await open();
  const [id, other] = [await add(), await add({ sha256: 'c'.repeat(64) })];
  await keep(id);
  const [name = ''] = await files();
  await writeFile(join(folder, `${other}-${'c'.repeat(16)}`), await readFile(join(folder, name)));
  const { show } = start();
  expect(await show(other)).toMatchObject({ thumbnail: null });
});

it('makes anew what a lost key sealed, or a kill cut off', async () => {
  const { start, add, keep, folder, files, keychain } = await open();
  const [lost, cut] = [await add(), await add()];
  await keep(lost);
  await keep(cut);
  const name = (await files()).find((each) => each.startsWith(`${cut}-`)) ?? '';
  await writeFile(join(folder, name), 'coffer');
  expect(await start().show(cut)).toMatchObject({ thumbnail: null });
  keychain.clear();
  const { show: showLater, keep: keepLater } = start();
  expect(await showLater(lost)).toMatchObject({ thumbnail: null });
  await keepLater(lost);
  expect(await showLater(lost)).toMatchObject({ thumbnail: picture });
});

it('removes those of deleted and forgotten objects', async () => {
  const { add, keep, catalogue, trim, files } = await open();
  const [kept, deleted, forgotten] = [await add(), await add(), await add()];
  for (const id of [kept, deleted, forgotten]) await keep(id);
  await catalogue.update([{ id: deleted, patch: { state: 'gone' } }]);
  await catalogue.remove([forgotten]);
  await trim();
  expect(await files()).toEqual([`${kept}-${digest.slice(0, 16)}`]);
});

it('removes those not shown for longest when they take too much room', async () => {
  const { add, keep, show, files } = await open({ maxBytes: 500 });
  const [first, second, third] = [await add(), await add(), await add()];
  await keep(first);
  await keep(second);
  await show(first);
  await keep(third);
  const left = (await files()).map((name) => Number(name.split('-')[0]));
  expect(new Set(left)).toEqual(new Set([first, third]));
});

it('fetches only small objects of classifications whose previews are fetched', async () => {
  const { add, show, automatic, found } = await open();
  automatic.add('Internal');
  const internal = await add({ classification: 'Internal' });
  const others = [
    await add({ classification: 'Public' }),
    await add({ classification: 'Internal', lengthBytes: 3_000_000 }),
    await add({ classification: 'Internal', sha256: null }),
    await add({ classification: 'Internal' }, 'film.mp4'),
  ];
  expect(await show(internal)).toMatchObject({ preview: { url: 'fetched' } });
  found.length = 0;
  for (const id of others) expect(await show(id)).toMatchObject({ preview: null });
  expect(found).not.toContain(true);
});

it('keeps and shows those of classifications whose previews are fetched only', async () => {
  const { add, keep, show, next, hears, files, automatic } = await open();
  automatic.add('Public');
  const [shared, secret] = [await add({ classification: 'Public' }), await add({ classification: 'Secret' })];
  for (const id of [secret, shared]) await hears(id, { path: `/${id}` });
  expect(await next()).toEqual({ id: shared, sha256: digest });
  expect(await next()).toBeNull();
  await keep(shared);
  await keep(secret);
  expect(await files()).toEqual([`${shared}-${digest.slice(0, 16)}`]);
  // Its file is still on this computer: its tile shows it, and keeps nothing.
  expect(await show(secret)).toEqual({ thumbnail: null, preview: { kind: 'image', url: 'local' } });
});

it('forgets those whose previews are no longer fetched, or that are reclassified', async () => {
  const { add, keep, show, catalogue, trim, files, automatic } = await open();
  automatic.add('Internal').add('Public');
  const of = (classification: string) => add({ classification });
  const [refused, moved, left] = [await of('Public'), await of('Internal'), await of('Internal')];
  for (const id of [refused, moved, left]) await keep(id);
  automatic.delete('Public');
  expect(await show(refused)).toMatchObject({ thumbnail: null });
  await catalogue.update([{ id: moved, patch: { classification: 'Secret' } }]);
  await trim();
  expect(await files()).toEqual([`${left}-${digest.slice(0, 16)}`]);
});

it('names what was uploaded, each once, and finds its file after its transfer was cleared', async () => {
  const { add, keep, show, next, hears } = await open();
  const [one, two, zip] = [await add(), await add(), await add({}, 'all.zip')];
  for (const id of [zip, one, two]) await hears(id, { path: `/${id}` });
  await keep(two);
  expect(await next()).toEqual({ id: one, sha256: digest });
  expect(await next()).toBeNull();
  expect(await show(one)).toMatchObject({ preview: { url: 'local' } });
});

it('keeps the thumbnail of an object that is renamed', async () => {
  const { add, keep, show, hears } = await open();
  const [old, renamed] = [await add(), await add()];
  await keep(old);
  await hears(renamed, { moves: { objectId: old } });
  expect(await show(renamed)).toMatchObject({ thumbnail: picture });
});

it('holds no more files than the last uploads', () => {
  const uploaded = createUploadedFiles();
  for (let id = 1; id <= 2_001; id++) uploaded.add(id, `/${id}`);
  expect(uploaded.pathsOf(1)).toEqual([]);
  expect(uploaded.pathsOf(2)).toEqual(['/2']);
  expect(uploaded.take()).toBe(2);
});

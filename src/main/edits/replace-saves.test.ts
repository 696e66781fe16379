import { writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { isPartId } from '../../shared/domain/made-names.ts';
import {
  serviceId,
  startEditBench,
  until,
  type EditBench,
} from '../../../test-support/main/edits/edit-bench.ts';
import { distinctBytes, sha256Of } from '../../../test-support/main/local-files/testing.ts';
import type { SaveAs } from '../../shared/domain/edit.ts';

/** Saves that replace the object, and saves of files in parts. */

const name = 'reports/minutes.txt';
let bench: EditBench;
afterEach(() => bench.close());

async function start(saveAs: SaveAs, options: Parameters<typeof startEditBench>[0] = {}): Promise<void> {
  bench = await startEditBench(options);
  await bench.edits.handlers['edits.setSaveAs']({ serviceId, saveAs });
}

const textAt = (identifier: string) => bench.bench.server.objects.get(identifier)?.bytes.toString();
const names = () => [...bench.bench.server.objects.keys()];
const state = async () => (await bench.one())?.state;
const posts = () =>
  bench.bench.server.requests.filter(({ method }) => method === 'POST').map(({ identifier }) => identifier);

describe('a save replaces the object', () => {
  const begin = async () => {
    await start('replace');
    await bench.bench.store(name, 'as it was');
    return bench.begin(name);
  };

  test('a second save during the first: stores both under the same identifier, and leaves nothing over', async () => {
    const { copy } = await begin();
    let isHeld = true;
    bench.bench.server.plan = ({ method }) =>
      method === 'DELETE' && isHeld ? { holdRequest: () => !isHeld } : null;
    writeFileSync(copy, 'the first save');
    await until(() => bench.bench.server.requests.some(({ method }) => method === 'DELETE')).toBe(true);
    const before = (await bench.one())?.savedAtMs;
    writeFileSync(copy, 'the second save');
    await until(async () => (await bench.one())?.savedAtMs).not.toBe(before);
    expect(textAt(name)).toBe('as it was');
    isHeld = false;
    await until(() => textAt(name)).toBe('the second save');
    expect(posts().filter((identifier) => identifier === name)).toHaveLength(2);
    await until(state).toBe('editing');
    await until(names).toEqual([name]);
    expect(bench.edits.open()).toEqual([{ identifier: name, isSaved: true }]);
    const kept = await bench.bench.undoCopies.ofObject(serviceId, name);
    expect(new Set(kept.map(({ lengthBytes }) => lengthBytes))).toEqual(new Set([9, 14]));
  });

  test('reports a change of the same length by another client between two saves, and overwrites nothing', async () => {
    const { id, copy } = await begin();
    writeFileSync(copy, 'saved by me');
    await until(state).toBe('editing');
    await until(async () => (await bench.one())?.storedAtMs).not.toBe(null);
    const sent = posts().length;
    bench.bench.server.objects.set(name, { bytes: Buffer.from('theirs now!'), classification: null });
    writeFileSync(copy, 'saved by me again');
    await until(state).toBe('changed');
    expect(textAt(name)).toBe('theirs now!');
    expect(posts()).toHaveLength(sent);
    // Keeps both, although saves replace.
    await bench.edits.handlers['edits.answer']({ id, answer: 'keepMine' });
    await until(() => textAt('reports/minutes@2.txt')).toBe('saved by me again');
    await until(state).toBe('editing');
    expect(textAt(name)).toBe('theirs now!');
  });

  test.each([
    ['its copy is stored beside', 'POST', /^reports\/minutes\.txt~r-/],
    ['the old one is deleted', 'DELETE', /\.txt$/],
    ['the new one is stored', 'POST', /\.txt$/],
    ['the copy beside is deleted', 'DELETE', /~r-/],
  ])('the token is refused when %s: it waits, and goes on with a new one', async (_, wanted, where) => {
    const { copy } = await begin();
    const { token } = bench.bench.server;
    let isIn = false;
    bench.bench.server.plan = ({ method, identifier }) => {
      if (isIn || method !== wanted || !where.test(identifier)) return null;
      isIn = true;
      bench.bench.setToken('another');
      return { status: 401 };
    };
    writeFileSync(copy, 'with an old token');
    await until(async () => (await bench.one())?.waitingFor).toBe('token');
    expect(await state()).toBe('uploading');
    // At any time, one of the two is complete at the service.
    expect(names().map(textAt)).toContainEqual(expect.stringMatching(/^(as it was|with an old token)$/));
    bench.bench.setToken(token);
    await until(state).toBe('editing');
    expect(textAt(name)).toBe('with an old token');
    await until(names).toEqual([name]);
  });
});

describe('a file in parts', () => {
  for (const saveAs of ['newVersion', 'replace'] satisfies SaveAs[])
    test(
      `saved as ${saveAs}: each save sends the file whole, in parts of its own`,
      { tags: saveAs === 'newVersion' ? 'all' : [] },
      async () => {
        await start(saveAs, { maxObjectBytes: 4_000 });
        const bytes = distinctBytes(9_000);
        await bench.bench.upload([await bench.bench.makeFile('film.mov', bytes)]);
        await bench.bench.settled();
        const { copy } = await bench.begin('up/film.mov');
        for (const place of [4_500, 8_500]) {
          const before = posts().length;
          bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
          const storedAtMs = (await bench.one())?.storedAtMs;
          await writeFile(copy, bytes);
          await until(async () => (await bench.one())?.storedAtMs).not.toBe(storedAtMs);
          // A look of the watch may still compare the copy with what it has just stored.
          await until(state).toBe('editing');
          const sent = posts().slice(before);
          expect(sent.filter(isPartId)).toHaveLength(5);
          // The manifest; for a Replace also the copies of the new and the old one beside the object.
          expect(sent.filter((posted) => !isPartId(posted))).toHaveLength(saveAs === 'replace' ? 3 : 1);
        }
        const last = saveAs === 'replace' ? 'up/film.mov' : 'up/film@3.mov';
        expect(await bench.one()).toMatchObject({ identifier: last, mine: null });
        expect(await bench.bench.rowOf(last)).toMatchObject({ state: 'stored', sha256: sha256Of(bytes) });
        const lists = names().filter((each) => !isPartId(each) && !each.includes('~o-'));
        expect(lists.toSorted()).toEqual(
          saveAs === 'replace' ? ['up/film.mov'] : ['up/film.mov', 'up/film@2.mov', 'up/film@3.mov'],
        );
      },
    );

  test('a save equal to an unknown newer version continues from that version', async () => {
    await start('newVersion', { maxObjectBytes: 4_000 });
    const [first, second, third] = [distinctBytes(9_000), distinctBytes(9_000), distinctBytes(9_000)];
    await bench.bench.upload([await bench.bench.makeFile('film.mov', first)]);
    const newer = { identifier: 'up/film@2.mov' };
    await bench.bench.upload([await bench.bench.makeFile('theirs.mov', second, newer)]);
    await bench.bench.settled();
    await bench.bench.catalogue.remove([(await bench.bench.rowOf('up/film@2.mov'))?.id ?? 0]);
    const { copy } = await bench.begin('up/film.mov');
    await writeFile(copy, second);
    await until(async () => (await bench.one())?.identifier).toBe('up/film@2.mov');
    await writeFile(copy, third);
    await until(async () => (await bench.one())?.identifier).toBe('up/film@3.mov');
    expect(await state()).toBe('editing');
  });
});

import { Readable } from 'node:stream';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { toAppError } from '../../shared/app-failure.ts';
import * as fs from '../local-files/fs.ts';
import type { NewObject } from '../objects/catalogue.ts';
import { eventually } from '../../../test-support/eventually.ts';
import { openLocalDatabase } from '../../../test-support/main/database/local-database.ts';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';

const gone = { error: { code: 'notFound', what: 'service' } };
const late: NewObject[] = [{ kind: 'data', identifier: 'late', patch: {} }];
const count = 4_000;

/** Begins to import a file into a list; the rest of the file is read once `goOn` is called. */
async function beginImport() {
  const database = await openLocalDatabase(new DatabaseSync(':memory:'), Date.now);
  onTestFinished(() => database.close());
  const { catalogue } = database;
  const path = join(await makeTestFolder(), 'in.jsonl');
  const lines = Array.from({ length: count }, (_, n) => `{"identifier":"f/${String(n)}"}\n`);
  const text = `{"cofferCatalogue":1}\n${lines.join('')}`;
  await writeFile(path, text);
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  async function* inHalves() {
    yield Buffer.from(text.slice(0, text.length / 2));
    await mayGoOn;
    yield Buffer.from(text.slice(text.length / 2));
  }
  const read = fs.createReadStream;
  const reading = vi.spyOn(fs, 'createReadStream');
  onTestFinished(() => reading.mockRestore());
  // Before it is merged, the file is read for its encoding, to its end, and for its format.
  for (let first = 0; first < 3; first += 1) reading.mockImplementationOnce(read);
  reading.mockReturnValueOnce(Readable.from(inHalves()) as never);
  const importing = catalogue.importFrom('p', path, 'import').catch(toAppError);
  await eventually(async () => expect((await catalogue.collections('p')).all).toBeGreaterThan(0));
  return { catalogue, path, importing, goOn };
}

describe('a service that is removed', () => {
  it('ends an import into its list and leaves no rows; late writes do not bring the list back', async () => {
    const { catalogue, path, importing, goOn } = await beginImport();
    await catalogue.removeService('p');
    goOn();
    expect(await importing).toEqual(gone.error);
    await expect(catalogue.importFrom('p', path, 'import')).rejects.toMatchObject(gone);
    await expect(catalogue.add('p', late)).rejects.toMatchObject(gone);
    expect(await catalogue.collections('p')).toMatchObject({ all: 0 });
    // Other services are unaffected.
    expect(await catalogue.add('q', late)).toMatchObject([{ added: true }]);
  });

  it('ends it also if a service of the same id is added at once', async () => {
    const { catalogue, path, importing, goOn } = await beginImport();
    await Promise.all([
      catalogue.removeService('p'),
      catalogue.setNaming('p', { separator: '/', versionMark: '@{number}' }),
    ]);
    goOn();
    expect(await importing).toEqual(gone.error);
    expect(await catalogue.collections('p')).toMatchObject({ all: 0 });
    expect(await catalogue.importFrom('p', path, 'import')).toMatchObject({ added: count });
  });

  it('with its list kept, accepts rows only after it is added again', async () => {
    const { catalogue, path, importing, goOn } = await beginImport();
    await catalogue.closeService('p');
    goOn();
    expect(await importing).toEqual(gone.error);
    const { all } = await catalogue.collections('p');
    expect(all).toBeGreaterThan(0);
    expect(all).toBeLessThan(count);
    await expect(catalogue.add('p', late)).rejects.toMatchObject(gone);
    await catalogue.setNaming('p', { separator: '/', versionMark: '@{number}' });
    expect(await catalogue.importFrom('p', path, 'import')).toMatchObject({
      added: count - all,
      unchanged: all,
    });
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toAppError } from '../../shared/app-failure.ts';
import type { Catalogue, NewObject } from '../objects/catalogue.ts';
import { makeFolder } from '../../../test-support/main/database/folder.ts';

const gone = { error: { code: 'notFound', what: 'service' } };
const late: NewObject[] = [{ kind: 'data', identifier: 'late', patch: {} }];
const count = 20_000;

async function writeList(folder: string): Promise<string> {
  const path = join(folder, 'in.jsonl');
  const lines = Array.from({ length: count }, (_, n) => `{"identifier":"f/${String(n)}"}\n`);
  await writeFile(path, `{"cofferCatalogue":1}\n${lines.join('')}`);
  return path;
}

/** Resolves when something was imported. */
function begun(catalogue: Catalogue): Promise<void> {
  return new Promise((resolve) => {
    const stop = catalogue.onChanged(() => {
      stop();
      resolve();
    });
  });
}

describe('a service that is removed', () => {
  it('ends an import into its list, which leaves nothing, nor does what comes late bring it back', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = await writeList(folder.path);
    const importing = catalogue.importFrom('p', path, 'import').catch(toAppError);
    await begun(catalogue);
    await catalogue.removeService('p');
    expect(await importing).toEqual(gone.error);
    await expect(catalogue.importFrom('p', path, 'import')).rejects.toMatchObject(gone);
    await expect(catalogue.add('p', late)).rejects.toMatchObject(gone);
    expect(await catalogue.collections('p')).toMatchObject({ all: 0 });
    // Others go on.
    expect(await catalogue.add('q', late)).toMatchObject([{ added: true }]);
  });

  it('ends it also when another of the same id follows at once', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = await writeList(folder.path);
    const importing = catalogue.importFrom('p', path, 'import').catch(toAppError);
    await begun(catalogue);
    await Promise.all([
      catalogue.removeService('p'),
      catalogue.setNaming('p', { separator: '/', versionMark: '@{number}' }),
    ]);
    expect(await importing).toEqual(gone.error);
    expect(await catalogue.collections('p')).toMatchObject({ all: 0 });
    expect(await catalogue.importFrom('p', path, 'import')).toMatchObject({ added: count });
  });

  it('and whose list stays, is added to when it is set up again, and not before', async () => {
    await using folder = await makeFolder();
    const { catalogue } = await folder.open();
    const path = await writeList(folder.path);
    const importing = catalogue.importFrom('p', path, 'import').catch(toAppError);
    await begun(catalogue);
    await catalogue.closeService('p');
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

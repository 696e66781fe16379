import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFaultServer, type Fault } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('new versions while answers are lost, the service is away and a stranger writes: no gap, none twice @all', async ({
  app,
}) => {
  /** By request; each fault happens once. */
  const faults = new Map<string, () => Fault>();
  const service = await startFaultServer({
    plan: ({ method, identifier }) => {
      const fault = faults.get(`${method} ${identifier}`)?.() ?? null;
      faults.delete(`${method} ${identifier}`);
      return fault;
    },
  });
  const lengths = { 'a.txt': 100 };
  const [first, second, third, fourth, theirs] = ['1', '2', '3', '4', 'theirs'].map(
    (folder, at) => writeFiles(join(app.folder, folder), { 'a.txt': lengths['a.txt'] + at })['a.txt'] ?? '',
  );
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  await app.drop([first ?? '']);
  await coffer.startUpload(1);
  await coffer.expectStored('a.txt');
  const storeVersion = async (path = '') => {
    await app.drop([path]);
    await coffer.chooseIfExists('New version');
    await coffer.startUpload(1);
    await coffer.showTab('Transfers');
  };

  // Stored, but not answered.
  faults.set('POST a@2.txt', () => ({ cutAnswerAtBytes: 0 }));
  await storeVersion(second);
  await expect(coffer.transfer('a@2.txt', 'upload', 'Done')).toContainText('stored size matches');

  faults.set('POST a@3.txt', () => ({ status: 503, headers: { 'retry-after': '600' } }));
  await storeVersion(third);
  const waiting = coffer.transfer('a@3.txt', 'upload', 'Waiting');
  await expect(waiting).toContainText('Waiting 10 min, the service had an error');
  await waiting.getByRole('button', { name: 'Try now' }).click();
  await expect(coffer.transfer('a@3.txt', 'upload', 'Done')).toBeVisible();

  // The number was free when it was checked.
  faults.set('POST a@4.txt', () => {
    service.objects.set('a@4.txt', { bytes: readFileSync(theirs ?? ''), classification: null });
    return {};
  });
  await storeVersion(fourth);
  await expect(coffer.transfer('a@5.txt', 'upload', 'Done')).toBeVisible();

  await app.page.getByRole('row', { name: /^a\.txt, \d versions/ }).click();
  await coffer.showTab('Details');
  const versions = app.page.getByRole('region', { name: 'Versions' });
  await versions.getByRole('button', { name: 'Look for more versions' }).click();
  await expect(versions.getByRole('listitem')).toHaveCount(5);
  await expect(versions.getByRole('listitem').filter({ hasText: 'a@4.txt' })).toContainText(
    'By somebody else',
  );
  faults.set('POST a@6.txt', () => ({ cutAnswerAtBytes: 0 }));
  await versions.getByRole('button', { name: 'Restore a.txt as the newest version' }).click();
  await expect(versions.getByRole('listitem').first()).toContainText('a@6.txt');
  await expect(versions.getByRole('listitem').first()).toContainText('Newest');

  await coffer.showTab('Transfers');
  await expect(coffer.transfer('a@6.txt', 'upload', 'Done')).toBeVisible();
  const expected = [first, second, third, theirs, fourth, first].map((path = '') => readFileSync(path));
  const names = ['a.txt', 'a@2.txt', 'a@3.txt', 'a@4.txt', 'a@5.txt', 'a@6.txt'];
  expect([...service.objects.keys()].toSorted()).toEqual(names);
  for (const [at, name] of names.entries())
    expect(service.objects.get(name)?.bytes.equals(expected[at] ?? Buffer.alloc(0)), name).toBe(true);
  expect(faults.size).toBe(0);
  await service.close();
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFaultServer, type FaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

const name = 'minutes.txt';

/**
 * Stores an object at its own service and opens it for editing. `copy`: the file that the person's program has
 * open.
 */
async function startEdit(app: App) {
  const service = await startFaultServer();
  const files = writeFiles(join(app.folder, 'mine'), { [name]: 400 });
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  await app.drop(Object.values(files));
  await coffer.startUpload(1);
  await coffer.expectStored(name);
  await coffer.row(name).click();
  await coffer.dock.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.poll(app.opened).toHaveLength(1);
  return { service, coffer, copy: app.opened()[0] ?? '' };
}

/** Opens the list of open edits. */
async function showEdits({ page }: App) {
  await page.getByRole('button', { name: /open edit/ }).click();
  return page.getByRole('dialog', { name: 'Open edits' });
}

const textsAt = ({ objects }: Pick<FaultServer, 'objects'>) =>
  Object.fromEntries([...objects].map(([identifier, { bytes }]) => [identifier, bytes.toString()]));

test('saves while the service is away, its answer is lost, the app is killed and the token is refused: each is stored once @all', async ({
  app,
}) => {
  const { service: before, copy } = await startEdit(app);
  const original = textsAt(before)[name];
  const { objects, baseAddress, token } = before;
  await before.close();
  writeFileSync(copy, 'the first save');
  const panel = await showEdits(app);
  await expect(panel).toContainText(/Editing, saved .+, waiting for the service/);

  const service = await startFaultServer({
    objects,
    token,
    port: Number(new URL(baseAddress).port),
    // Stored, but not answered.
    plan: ({ method }) => (method === 'POST' ? { cutAnswerAtBytes: 0 } : null),
  });
  await expect(panel).toContainText(/Editing, saved .+, stored/);
  expect(textsAt(service)).toEqual({ [name]: original, 'minutes@2.txt': 'the first save' });

  service.plan = ({ method }) => (method === 'POST' ? { holdRequest: () => false } : null);
  writeFileSync(copy, 'the second save');
  await expect(panel).toContainText(/Editing, saved .+, uploading/);
  await expect.poll(() => service.openUploads()).toBe(1);
  await app.kill();
  service.token = 'the-new-token';
  service.plan = () => null;
  await app.restart();

  const again = await showEdits(app);
  await expect(again).toContainText(/Editing, saved .+, waiting for a new token/);
  await app.page.keyboard.press('Escape');
  await app.page.getByRole('button', { name: 'Enter a new token' }).click();
  await new CofferWindow(app.page).giveToken(service.token);
  const last = await showEdits(app);
  await expect(last).toContainText(/Editing, saved .+, stored/);
  expect(textsAt(service)).toEqual({
    [name]: original,
    'minutes@2.txt': 'the first save',
    'minutes@3.txt': 'the second save',
  });
  const posts = service.requests.filter(({ method }) => method === 'POST');
  // One of them was being sent when the app was killed.
  expect(posts.map(({ identifier }) => identifier)).toEqual([
    'minutes@2.txt',
    'minutes@3.txt',
    'minutes@3.txt',
  ]);
  await last.getByRole('button', { name: /^Finish/ }).click();
  await expect.poll(() => readdirSync(join(app.userData, 'edits'))).toEqual([]);
  await service.close();
});

test('asks before uploading if the object was changed or deleted meanwhile, and loses nothing @all', async ({
  app,
}) => {
  const { service, coffer, copy } = await startEdit(app);
  const changeAt = (identifier: string, text: string) =>
    service.objects.set(identifier, { bytes: Buffer.from(text), classification: null });
  await coffer.showTab('Transfers');
  changeAt(name, 'theirs');
  writeFileSync(copy, 'mine');
  const panel = await showEdits(app);
  await expect(panel).toContainText('Changed at the service since you opened it.');
  await expect(panel).toContainText('Nothing was sent. Your save is kept here.');
  await expect(coffer.row(name)).toContainText('Needs your answer');
  const need = app.page.getByRole('region', { name: 'Edits that need your answer' });
  await expect(need).toContainText('Changed at the service while you edited');
  await panel.getByRole('button', { name: 'Compare' }).click();
  await expect.poll(() => app.opened().length).toBe(3);
  const compared = app
    .opened()
    .slice(1)
    .map((path) => readFileSync(path, 'utf8'));
  expect(compared.toSorted()).toEqual(['mine', 'theirs']);
  expect(textsAt(service)).toEqual({ [name]: 'theirs' });
  await panel.getByRole('button', { name: 'Keep mine as a new version' }).click();
  await expect(panel).toContainText(/Editing, saved .+, stored/);
  expect(textsAt(service)).toEqual({ [name]: 'theirs', 'minutes@2.txt': 'mine' });

  changeAt('minutes@2.txt', 'theirs again');
  writeFileSync(copy, 'mine again');
  await panel.getByRole('button', { name: 'Take theirs' }).click();
  await expect.poll(() => app.opened().length).toBe(4);
  const theirs = app.opened()[3] ?? '';
  expect(readFileSync(theirs, 'utf8')).toBe('theirs again');
  await expect(panel).toContainText('nothing to save');
  expect(textsAt(service)).toEqual({ [name]: 'theirs', 'minutes@2.txt': 'theirs again' });

  service.objects.delete('minutes@2.txt');
  writeFileSync(theirs, 'ours');
  await expect(panel).toContainText('Deleted at the service since you opened it.');
  await panel.getByRole('button', { name: 'Store mine again' }).click();
  await expect(panel).toContainText(/Editing, saved .+, stored/);
  expect(textsAt(service)).toEqual({ [name]: 'theirs', 'minutes@2.txt': 'ours' });
  await service.close();
});

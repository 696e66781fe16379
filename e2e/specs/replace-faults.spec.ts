import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startFaultServer, type Fault, type FaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

/**
 * The second check is a minute after the first, by wall time: with the clock set back at first, it is due once the
 * clock is right.
 */
const behindMs = 180_000;
const lessBehindMs = 90_000;

test.use({ earlierMs: behindMs });

/** The copy beside the object. */
const isBeside = (identifier: string) => identifier.includes('~r-');

/** Connects, stores these objects, and drops others with the same names to replace them. */
async function startReplacing(app: App, service: FaultServer, lengths: Readonly<Record<string, number>>) {
  const names = Object.keys(lengths);
  const old = writeFiles(join(app.folder, 'old'), Object.fromEntries(names.map((name) => [name, 2000])));
  const mine = writeFiles(join(app.folder, 'mine'), lengths);
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  const { plan } = service;
  service.plan = () => null;
  await app.drop(Object.values(old));
  await coffer.startUpload(names.length);
  for (const name of names) await coffer.expectStored(name);
  service.plan = plan;
  service.requests.length = 0;
  // A question may open at once, and would block clicks behind it.
  await coffer.showTab('Transfers');
  await app.drop(Object.values(mine));
  await coffer.chooseIfExists('Replace');
  await coffer.startUpload(names.length);
  return { coffer, old, mine };
}

const unavailable: Fault = { status: 503, headers: { 'retry-after': '600' } };

function expectObjects(service: FaultServer, expected: Readonly<Record<string, string | undefined>>): void {
  expect([...service.objects.keys()].toSorted()).toEqual(Object.keys(expected).toSorted());
  for (const [name, path = ''] of Object.entries(expected))
    expect(service.objects.get(name)?.bytes.equals(readFileSync(path)), name).toBe(true);
}

const sent = ({ requests }: FaultServer, method: string) =>
  requests.filter((request) => request.method === method).map(({ identifier }) => identifier);

test('a Replace with lost answers is stored again after a late deletion @all', async ({ app }) => {
  const lost = new Set<string>();
  const service = await startFaultServer({
    plan: ({ method, identifier }) => {
      const what = `${method} ${isBeside(identifier) ? 'beside' : identifier}`;
      if (method === 'HEAD' || method === 'GET' || lost.has(what)) return null;
      lost.add(what);
      return { cutAnswerAtBytes: 0 };
    },
  });
  const { mine } = await startReplacing(app, service, { 'report.txt': 300 });
  let coffer = new CofferWindow(app.page);
  await expect(coffer.transfers).toContainText('Replaced, final check');
  await coffer.expectStored('report.txt');
  expect([...lost]).toEqual(['POST beside', 'DELETE report.txt', 'POST report.txt']);
  expect(sent(service, 'DELETE')).toEqual(['report.txt']);

  // The deletion that was started now removes the new object.
  service.objects.delete('report.txt');
  await app.restart({ earlierMs: lessBehindMs });
  coffer = new CofferWindow(app.page);
  await expect.poll(() => service.objects.has('report.txt')).toBe(true);
  await coffer.showTab('Transfers');
  await expect(coffer.transfers).toContainText('Replaced, final check');
  await coffer.expectStored('report.txt');

  await app.restart();
  coffer = new CofferWindow(app.page);
  await coffer.expectStored('report.txt');
  await coffer.showTab('Transfers');
  await expect(coffer.transfers).toContainText('300 B replaced, the old version is kept');
  expectObjects(service, { 'report.txt': mine['report.txt'] });
  await service.close();
});

test('a Replace survives delays, a refused token and a kill while the object is gone @all', async ({
  app,
}) => {
  let isHeld = true;
  let isBusy = true;
  const service = await startFaultServer();
  service.plan = ({ method, identifier, number }) => {
    const isFirst = number === 1;
    if (method === 'POST' && isBeside(identifier) && isFirst) return unavailable;
    if (method === 'DELETE' && identifier === 'report.txt') {
      if (!isFirst) return unavailable;
      service.token = 'new-token';
    }
    if (method !== 'POST' || identifier !== 'report.txt') return null;
    return isBusy ? unavailable : { holdRequest: () => !isHeld, cutRequestAtBytes: 0 };
  };
  const { coffer, mine } = await startReplacing(app, service, { 'report.txt': 300 });
  const transfer = coffer.transfer('report.txt', 'upload', 'Waiting');
  const tryNow = transfer.getByRole('button', { name: 'Try now' });
  await expect(transfer).toContainText(/Waiting \d+ min, the old version is kept: the service had an error/);
  await expect(coffer.row('report.txt')).toContainText(/Waiting \d+ min/);
  await expect(coffer.statusLine).toContainText('1 waiting');
  await tryNow.click();

  const banner = app.page.getByRole('alert').filter({ hasText: 'Everything is paused' });
  await expect(banner).toContainText('1 transfer continues once you enter a new token.');
  await expect(transfer).toContainText('Waiting for a new token, both versions are kept');
  await expect(coffer.row('report.txt')).not.toContainText('Stored');
  expect(service.objects.get('report.txt')?.bytes.length).toBe(2000);
  await banner.getByRole('button', { name: 'Enter a new token' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Enter a new token' });
  await dialog.getByRole('textbox', { name: 'Access token' }).fill('new-token');
  await dialog.getByRole('button', { name: 'Use this token' }).click();

  await expect(transfer).toContainText(/Waiting \d+ min, both versions are kept: the service had an error/);
  // It was carried out nevertheless.
  service.objects.delete('report.txt');
  await tryNow.click();
  const own = () => sent(service, 'POST').filter((identifier) => identifier === 'report.txt').length;
  await expect.poll(own).toBe(1);
  // Its identifier is empty and cannot be written: the copy beside it is complete, and both versions exist here.
  await expect(transfer).toContainText(/Waiting \d+ min, both versions are kept: the service had an error/);
  await expect(coffer.row('report.txt')).toContainText(/Waiting \d+ min/);
  const [copy, ...others] = service.objects;
  expect(others).toEqual([]);
  expect(isBeside(copy?.[0] ?? '')).toBe(true);
  expect(copy?.[1].bytes.equals(readFileSync(mine['report.txt'] ?? ''))).toBe(true);
  isBusy = false;
  await tryNow.click();
  await expect.poll(own).toBe(2);
  expect(sent(service, 'DELETE')).toEqual(['report.txt', 'report.txt']);
  await expect(coffer.row('report.txt')).toHaveAccessibleName(/Replacing, both versions are kept/);

  await app.kill();
  isHeld = false;
  service.plan = () => null;
  await app.restart({ earlierMs: lessBehindMs });
  const again = new CofferWindow(app.page);
  await again.showTab('Transfers');
  await expect(again.transfers).toContainText('Replaced, final check');
  await again.expectStored('report.txt');
  await app.restart();
  const last = new CofferWindow(app.page);
  await last.expectStored('report.txt');
  await expect.poll(() => service.objects.size).toBe(1);
  expectObjects(service, { 'report.txt': mine['report.txt'] });
  await service.close();
});

test('a refused Replace keeps the old object; one changed by another client asks and keeps everything @all', async ({
  app,
}) => {
  const service = await startFaultServer();
  const stranger = join(app.folder, 'stranger');
  const strangers = writeFiles(stranger, { longer: 3000, same: 2000 });
  const put = (identifier: string, name: string) =>
    service.objects.set(identifier, { bytes: readFileSync(strangers[name] ?? ''), classification: null });
  const refusals: Readonly<Record<string, number>> = { 'a.txt': 413, 'b.txt': 400, 'c.txt': 403 };
  service.plan = ({ method, identifier }) => {
    const name = identifier.replace(/~.*/, '');
    const status = isBeside(identifier) && method === 'POST' ? refusals[name] : undefined;
    if (status !== undefined) return { status };
    // Between the download of the old object and its DELETE.
    if (isBeside(identifier) && method === 'POST' && name === 'd.txt') put(name, 'longer');
    if (isBeside(identifier) && method === 'HEAD' && name === 'e.txt') put(name, 'same');
    // Between its DELETE and its POST.
    if (identifier === 'f.txt' && method === 'POST') put(name, 'longer');
    return null;
  };
  const lengths = { 'a.txt': 100, 'b.txt': 200, 'c.txt': 300, 'd.txt': 400, 'e.txt': 500, 'f.txt': 600 };
  const { coffer, old, mine } = await startReplacing(app, service, lengths);
  const { question } = coffer;

  await expect(question).toContainText('1 of 3');
  await question.press('Escape');
  const said = {
    'a.txt': 'Failed. Too large for the service. The service refused it because of its size.',
    'b.txt': 'Failed. The service rejected the request. It gave no reason.',
    'c.txt': 'Failed. Not allowed. The service accepts the token, but not for this object.',
  };
  for (const [name, text] of Object.entries(said)) {
    await expect(coffer.transfer(name, 'upload', 'Failed')).toContainText(text);
    await expect(coffer.row(name)).toContainText('Stored');
  }
  // Only for the object that nobody had changed.
  expect(sent(service, 'DELETE').filter((identifier) => !isBeside(identifier))).toEqual(['f.txt']);

  const { 'a.txt': a, 'b.txt': b, 'c.txt': c } = old;
  await coffer.transfer('d.txt', 'upload', 'Waiting').getByRole('button', { name: 'Answer' }).click();
  await expect(question).toContainText(
    'The stored object is no longer the one you agreed to replace. Nothing was changed.',
  );
  await question.getByRole('radio', { name: /^Skip/ }).click();
  await question.getByRole('button', { name: 'Skip 1 object' }).click();
  await expect(coffer.transfers).toContainText('Done, skipped because it already exists');

  for (const name of ['e.txt', 'f.txt']) {
    const third = coffer.transfer(name, 'upload', 'Waiting');
    await expect(third).toContainText('Your version and the old version are kept.');
    // The dialog moves on to the next prompt by itself, unless it was closed before.
    await expect(async () => {
      if (
        !(
          await question
            .getByRole('heading')
            .textContent({ timeout: 1000 })
            .catch(() => '')
        )?.includes(name)
      ) {
        await app.page.keyboard.press('Escape');
        await third.getByRole('button', { name: 'Answer' }).click({ timeout: 1000 });
      }
      await expect(question).toContainText(
        'Somebody else stored this object while yours was taking its place.',
        {
          timeout: 1000,
        },
      );
    }).toPass({ timeout: 30_000 });
    await question.getByRole('radio', { name: /^New version/ }).click();
    await question.getByRole('button', { name: 'Store as a new version' }).click();
    await expect(coffer.transfer(name.replace('.', '@2.'), 'upload', 'Done')).toBeVisible();
  }
  await expect.poll(() => [...service.objects.keys()].filter(isBeside)).toEqual([]);
  expectObjects(service, {
    'a.txt': a,
    'b.txt': b,
    'c.txt': c,
    'd.txt': strangers['longer'],
    'e.txt': strangers['same'],
    'e@2.txt': mine['e.txt'],
    'f.txt': strangers['longer'],
    'f@2.txt': mine['f.txt'],
  });
  await service.close();
});

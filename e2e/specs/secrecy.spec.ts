import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { requestData, startService } from '../service.ts';

const token = 'opensesame-4f1c9b7de2a35068';

test('the token is nowhere but in the keychain, and no path reaches the page', async ({ app }) => {
  const service = await startService(app.folder, { token });
  const files = writeFiles(join(app.folder, 'home', 'Documents'), { 'minutes.txt': 4000, 'lost.bin': 500 });
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token });
  await app.drop(Object.values(files));
  await coffer.startUpload(2);
  for (const name of Object.keys(files)) await coffer.expectStored(name);
  await coffer.download('minutes.txt');
  await expect(coffer.transfer('minutes.txt', 'download', 'Done')).toBeVisible();
  await requestData(service, token, 'DELETE', 'lost.bin');
  await coffer.download('lost.bin');
  await expect(coffer.transfer('lost.bin', 'download', 'Failed')).toBeVisible();

  const page = await readWholePage(app);
  expect(page).toContain('minutes.txt');
  expect(page).not.toContain(token);
  const replies = await readReplies(app);
  expect(replies).toContain('minutes.txt');
  expect(replies).not.toContain(token);
  expect(replies).not.toContain(app.folder);

  // The form says that there is a token, and nothing more.
  await coffer.chooseFromSwitcher('Edit Archive');
  await expect(app.page.getByText(/^In the .*keychain/)).toBeVisible();
  expect(await readWholePage(app)).not.toContain(token);
  await app.page.getByRole('button', { name: 'Back' }).click();

  await app.restart();
  await new CofferWindow(app.page).expectReady('Archive');
  await app.close();
  expect(app.output()).not.toContain(token);
  const kept = filesBelow(app.userData);
  expect(kept.length).toBeGreaterThan(0);
  const needles = [Buffer.from(token), Buffer.from(token, 'utf16le'), Buffer.from(btoa(token))];
  for (const path of kept) {
    const bytes = readFileSync(path);
    for (const needle of needles) expect(bytes.includes(needle), path).toBe(false);
  }
  await service.close();
});

/** Everything the page shows, stores and has fetched, and every value reachable from its window object. */
function readWholePage({ page }: App): Promise<string> {
  return page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) =>
      'value' in field ? field.value : '',
    );
    const globals = Object.getOwnPropertyNames(window).map((name) => {
      try {
        return `${name}=${JSON.stringify(Reflect.get(window, name))}`;
      } catch {
        return name; // circular, or not readable
      }
    });
    return [
      document.documentElement.outerHTML,
      ...fields,
      JSON.stringify(Object.entries(localStorage)),
      JSON.stringify(Object.entries(sessionStorage)),
      document.cookie,
      JSON.stringify(performance.getEntries()),
      ...globals,
    ].join('\n');
  });
}

/** Main's answers to all queries of the page. */
function readReplies({ page }: App): Promise<string> {
  return page.evaluate(async () => {
    type Reply = { ok: boolean; value: { services: { id: string }[]; rows: { id: number }[] } };
    type Coffer = { call: (name: string, input?: unknown) => Promise<Reply> };
    const { call } = Reflect.get(window, 'coffer') as Coffer;
    const services = await call('services.list');
    const serviceId = services.value.services[0]?.id;
    const rows = await call('objects.page', {
      query: {
        serviceId,
        kind: 'data',
        place: { kind: 'all' },
        search: '',
        sort: { column: 'identifier', direction: 'ascending' },
      },
      offset: 0,
      limit: 10,
    });
    const replies = [
      services,
      rows,
      await call('app.info'),
      await call('settings.get'),
      await call('transfers.page', { tab: 'transfers', offset: 0, limit: 50 }),
      await call('tasks.list'),
      await call('services.check', { id: serviceId }),
      await call('classifications.list', { serviceId, folder: '', refresh: true }),
      ...(await Promise.all(rows.value.rows.map(({ id }) => call('objects.get', { id })))),
    ];
    if (replies.some(({ ok }) => !ok)) throw new Error(JSON.stringify(replies));
    return JSON.stringify(replies);
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

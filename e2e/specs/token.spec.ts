import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expectFewFunctions, expectNothingElsewhere, expectOnlyBundle } from '../boundary.ts';
import { digestOf, readBelow, writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { requestData, startService } from '../service.ts';

/** The service accepts the old token, and later the new one. */
const tokens = {
  wrong: 'sesame-close-91be04d2a7f35c68',
  old: 'opensesame-4f1c9b7de2a35068',
  wrongToo: 'sesame-close-7d20c8e5f1b94a36',
  new: 'opensesame-a83e6f01c5d7b924',
};

test('the page has five functions and its own bundle; everything waits for a new token while the service refuses the old one; tokens are nowhere but in the keychain; quitting asks while a request is open', async ({
  app,
}) => {
  const masterKey = randomBytes(32);
  const first = await startService(app.folder, { token: tokens.old, masterKey });
  const files = writeFiles(join(app.folder, 'home', 'Documents'), {
    'a.txt': 1000,
    'b.txt': 2000,
    'c.txt': 3000,
    'later.bin': 300,
  });
  const [a = '', b = '', c = '', later = ''] = Object.values(files);
  const connection = { name: 'Archive', baseAddress: first.baseAddress };
  await test.step('five functions', () => expectFewFunctions(app));
  await test.step('nothing elsewhere', () => expectNothingElsewhere(app));
  const coffer = new CofferWindow(app.page);
  await coffer.fillConnection({ ...connection, token: tokens.wrong });
  await app.page.getByRole('button', { name: 'Test connection' }).click();
  await expect(app.page.getByText('Access token refused')).toBeVisible();
  await coffer.fillConnection({ ...connection, token: tokens.old });
  await app.page.getByRole('button', { name: 'Test connection' }).click();
  await expect(app.page.getByText('Access token refused')).toBeHidden();
  await app.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Archive');
  await test.step('only its bundle', () => expectOnlyBundle(app));
  await app.drop([a]);
  await coffer.startUpload(1);
  await coffer.expectStored('a.txt');

  await first.close();
  const second = await startService(app.folder, {
    token: tokens.new,
    masterKey,
    port: first.port,
    processingMs: 600_000,
  });
  await app.drop([b, c]);
  await coffer.startUpload(2);
  // Rows move when others arrive above them, so wait until they have.
  await expect(coffer.objects.getByRole('row')).toHaveCount(5);
  await coffer.download('a.txt');
  const banner = app.page.getByRole('alert').filter({ hasText: 'Everything is paused' });
  await expect(banner).toContainText('The service refused the access token.');
  await expect(banner).toContainText('Nothing has failed. 3 transfers continue once you enter a new token.');
  // One cause is one entry with a count.
  await expect(app.page.getByRole('list', { name: 'Transfers' })).toContainText(/3 wait.*token/);
  await expect(app.page.getByRole('button', { name: 'Service Archive, Token refused' })).toBeVisible();

  await banner.getByRole('button', { name: 'Enter a new token' }).click();
  await coffer.giveToken(tokens.wrongToo);
  await expect(coffer.newToken).toContainText('The service refused this token, too.');
  await coffer.giveToken(tokens.new);

  await expect(coffer.newToken).toBeHidden();
  await expect(banner).toBeHidden();
  await coffer.expectReady('Archive');
  await expect(coffer.transfer('b.txt', 'upload', 'Done')).toBeVisible();
  await expect(coffer.transfer('c.txt', 'upload', 'Done')).toBeVisible();
  await expect(coffer.transfer('a.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'Archive', 'a.txt'))).toBe(digestOf(a));

  await requestData(second, tokens.new, 'DELETE', 'c.txt');
  await coffer.download('c.txt');
  await expect(coffer.transfer('c.txt', 'download', 'Failed')).toBeVisible();

  await app.drop([later]);
  await coffer.unfoldOptions();
  await coffer.sheet.getByRole('radio', { name: 'Deferred' }).click();
  await coffer.startUpload(1);
  await coffer.showTab('Jobs');
  await expect(coffer.job('later.bin', 'upload', 'Processing')).toBeVisible();
  app.answerDialogs(['Cancel'], ['Quit']);
  app.quit();
  await expect.poll(() => app.dialogsLeft()).toBe(1);
  await expect(coffer.job('later.bin', 'upload', 'Processing')).toBeVisible();

  const page = await readWholePage(app);
  expect(page).toContain('b.txt');
  const replies = await readReplies(app);
  expect(replies).toContain('b.txt');
  expect(replies).not.toContain(app.folder);
  // The form says that there is a token, but not which.
  await coffer.chooseFromSwitcher('Edit Archive');
  await expect(app.page.getByText(/^In the .*keychain/)).toBeVisible();
  const form = await readWholePage(app);
  for (const token of Object.values(tokens)) expect(page + replies + form).not.toContain(token);

  app.quit();
  await app.ended();
  expect(app.dialogsLeft()).toBe(0);
  const kept = readBelow(app.userData);
  expect(kept.size).toBeGreaterThan(0);
  for (const token of Object.values(tokens)) {
    expect(app.output()).not.toContain(token);
    const needles = [Buffer.from(token), Buffer.from(token, 'utf16le'), Buffer.from(btoa(token))];
    for (const [path, bytes] of kept)
      for (const needle of needles) expect(bytes.includes(needle), path).toBe(false);
  }
  await second.close();
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

/** Main's replies to all queries of the page. */
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

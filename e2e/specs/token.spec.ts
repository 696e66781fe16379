import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

test('connects with the right token after a wrong one; when it is refused everything waits without failures until a new one', async ({
  app,
}) => {
  const masterKey = randomBytes(32);
  const first = await startService(app.folder, { token: 'the-old-token', masterKey });
  const files = writeFiles(join(app.folder, 'mine'), { 'a.txt': 1000, 'b.txt': 2000, 'c.txt': 3000 });
  const [a = '', b = '', c = ''] = Object.values(files);
  const coffer = new CofferWindow(app.page);
  const connection = { name: 'Archive', baseAddress: first.baseAddress };
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();
  await coffer.fillConnection({ ...connection, token: 'a-wrong-token' });
  await app.page.getByRole('button', { name: 'Test connection' }).click();
  await expect(app.page.getByText('Access token refused')).toBeVisible();
  await coffer.fillConnection({ ...connection, token: 'the-old-token' });
  await app.page.getByRole('button', { name: 'Test connection' }).click();
  await expect(app.page.getByText('Access token refused')).toBeHidden();
  await app.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Archive');
  await app.drop([a]);
  await coffer.startUpload(1);
  await coffer.expectStored('a.txt');

  await first.close();
  const second = await startService(app.folder, { token: 'the-new-token', masterKey, port: first.port });
  await app.drop([b, c]);
  await coffer.startUpload(2);
  // Rows move when others arrive above them, so wait until they have.
  await expect(coffer.objects.getByRole('row')).toHaveCount(4);
  await coffer.download('a.txt');
  const banner = app.page.getByRole('alert').filter({ hasText: 'Everything is paused' });
  await expect(banner).toContainText('The service refused the access token.');
  await expect(banner).toContainText(
    'Nothing has failed. 3 transfers will resume after you enter a new token.',
  );
  // One cause is one entry with a count.
  await expect(app.page.getByRole('list', { name: 'Transfers' })).toContainText(/3 wait.*token/);
  await expect(app.page.getByRole('button', { name: 'Service Archive, Token refused' })).toBeVisible();

  await banner.getByRole('button', { name: 'Enter a new token' }).click();
  await coffer.giveToken('another-wrong-token');
  await expect(coffer.newToken).toContainText('The service refused this token, too.');
  await coffer.giveToken('the-new-token');

  await expect(coffer.newToken).toBeHidden();
  await expect(banner).toBeHidden();
  await coffer.expectReady('Archive');
  await expect(coffer.transfer('b.txt', 'upload', 'Done')).toBeVisible();
  await expect(coffer.transfer('c.txt', 'upload', 'Done')).toBeVisible();
  await expect(coffer.transfer('a.txt', 'download', 'Done')).toBeVisible();
  expect(digestOf(join(app.downloads, 'Archive', 'a.txt'))).toBe(digestOf(a));
  await second.close();
});

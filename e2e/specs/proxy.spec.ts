import { join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { startProxy } from '../faults/proxy.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

test('connects through a proxy with a password, and waits when the password changes @all', async ({
  app,
}) => {
  const token = 'the-right-token';
  const service = await startService(app.folder, { token });
  // The name only resolves through the proxy.
  const hosts = { 'objects.test': Number(new URL(service.baseAddress).port) };
  const proxy = await startProxy({ login: 'aino:p\u00e4ssword', hosts });
  const address = `127.0.0.1:${proxy.port}`;
  const coffer = new CofferWindow(app.page);
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();
  await coffer.fillConnection({ name: 'Archive', baseAddress: 'http://objects.test', token });
  await app.page.getByRole('button', { name: 'Optional' }).click();
  await app.page.getByRole('radio', { name: 'Own' }).check({ force: true });
  await app.page.getByRole('textbox', { name: 'Proxy address' }).fill(address);
  await expect(app.page.getByText('a proxy can read the token')).toBeVisible();
  await app.page.getByRole('switch', { name: 'Allow an address without encryption' }).check({ force: true });

  await app.page.getByRole('button', { name: 'Test connection' }).click();
  await expect(app.page.getByText('The proxy requires a password')).toBeVisible();
  await app.page.getByRole('button', { name: 'Enter name and password…' }).click();
  const dialog = dialogIn(app.page);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('aino');
  await dialog.getByRole('textbox', { name: 'Password' }).fill('p\u00e4ssword');
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await expect(app.page.getByText('Proxy works')).toBeVisible();
  await app.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Archive');

  // The password is changed meanwhile: everything waits and says why.
  proxy.change({ login: 'aino:another' });
  await app.restart();
  await expect(app.page.getByText(`The proxy ${address} refused the name and password.`)).toBeVisible();
  await app.page.getByRole('button', { name: 'Enter name and password' }).click();
  await dialogIn(app.page).getByRole('textbox', { name: 'Name' }).fill('aino');
  await dialogIn(app.page).getByRole('textbox', { name: 'Password' }).fill('another');
  await dialogIn(app.page).getByRole('button', { name: 'Sign in' }).click();
  const again = new CofferWindow(app.page);
  await again.expectReady('Archive');

  const files = writeFiles(join(app.folder, 'files'), { 'over.bin': 2_000_000 });
  await app.drop(Object.values(files));
  await again.startUpload(1);
  await again.expectStored('over.bin');
  const asked = proxy.requests.map(({ target }) => new URL(target).host);
  expect(new Set(asked)).toEqual(new Set(['objects.test']));
  expect(app.output()).not.toContain('p\u00e4ssword');
  await proxy.kill();
  await service.close();
});

function dialogIn(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Sign in to the proxy' });
}

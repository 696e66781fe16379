import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { drawPng } from '../pictures/png.ts';
import { startService } from '../service.ts';

test('distinguishes the problems of an address; at the right one, a picture is dropped, found, looked at and got back without a menu @all @smoke', async ({
  app,
}) => {
  const other = createServer((_request, response) => response.end('<h1>Welcome to nginx</h1>'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const coffer = new CofferWindow(app.page);
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();

  const cases = [
    { baseAddress: 'https://non sense', says: 'This isn’t a web address' },
    { baseAddress: 'http://objects.example.org', says: 'Without https' },
    { baseAddress: `http://127.0.0.1:1`, says: 'No service answers at port' },
    { baseAddress: `http://127.0.0.1:${port}`, says: 'This isn’t the service' },
  ];
  for (const { baseAddress, says } of cases) {
    await coffer.fillConnection({ name: 'Somewhere', baseAddress, token: 'any' });
    await app.page.getByRole('button', { name: 'Test connection' }).click();
    await expect(app.page.getByText(says).first()).toBeVisible();
  }
  other.close();

  const { page } = app;
  const token = 'a-token';
  const { baseAddress } = await startService(app.folder, { token });
  const { host } = new URL(baseAddress);
  await coffer.fillConnection({ name: '', baseAddress: host, token });
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady(host);
  const picture = join(app.folder, 'site.png');
  writeFileSync(
    picture,
    drawPng(64, 40, (x, y) => [x, y, 90]),
  );
  await app.drop([picture]);
  await coffer.startUpload(1);
  await coffer.expectStored('site.png');
  await coffer.search.fill('site');
  await coffer.row('site.png').click();
  await page.keyboard.press('Space');
  const look = page.getByRole('dialog', { name: /^Quick look: site\.png/ });
  await expect(look.getByRole('img')).toHaveJSProperty('naturalWidth', 64);
  await page.keyboard.press('Space');
  await expect(look).toBeHidden();
  await page.keyboard.press('ControlOrMeta+d');
  await coffer.showTab('Transfers');
  await expect(coffer.transfer('site.png', 'download', 'Done')).toContainText('digest matches');
  await expect(coffer.messages).toContainText('downloaded to');
});

test('shows within 100 ms that a button waits for an answer', async ({ app: { page } }) => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  await page.getByRole('button', { name: 'Connect to a service' }).click();
  const coffer = new CofferWindow(page);
  await coffer.fillConnection({ name: 'Silent', baseAddress: `http://127.0.0.1:${port}`, token: 'any' });
  const connect = page.getByRole('button', { name: 'Connect', exact: true });
  await connect.click();
  const ring = () => connect.evaluate((button) => getComputedStyle(button, '::after').visibility);
  await expect(connect).toHaveCSS('-webkit-text-fill-color', 'rgba(0, 0, 0, 0)');
  await expect.poll(ring).toBe('visible');
  const begins = await connect.evaluate((button) =>
    button.getAnimations({ subtree: true }).map(({ effect }) => effect?.getTiming().delay ?? 0),
  );
  expect(Math.max(...begins)).toBeLessThan(100);
  silent.closeAllConnections();
  silent.close();
});

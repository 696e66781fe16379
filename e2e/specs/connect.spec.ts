import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('distinguishes the problems of an address @all', async ({ app }) => {
  const other = createServer((_request, response) => response.end('<h1>Welcome to nginx</h1>'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const coffer = new CofferWindow(app.page);
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();

  const cases = [
    { baseAddress: 'https://non sense', says: 'This isn’t a web address' },
    { baseAddress: 'http://objects.example.org', says: 'Without https' },
    { baseAddress: `http://127.0.0.1:1`, says: 'Nothing is listening on port' },
    { baseAddress: `http://127.0.0.1:${port}`, says: 'doesn’t look like the service' },
  ];
  for (const { baseAddress, says } of cases) {
    await coffer.fillConnection({ name: 'Somewhere', baseAddress, token: 'any' });
    await app.page.getByRole('button', { name: 'Test connection' }).click();
    await expect(app.page.getByText(says).first()).toBeVisible();
  }
  other.close();
});

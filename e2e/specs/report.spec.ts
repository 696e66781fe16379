import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

test('after a crash, offers a report, shows it, and saves what it showed @all', async ({ app }) => {
  const service = await startService(app.folder, { token: 'never-in-a-report' });
  const { baseAddress } = service;
  const before = new CofferWindow(app.page);
  await before.connect({ name: 'Archive', baseAddress, token: 'never-in-a-report' });
  await app.kill();
  await app.restart();
  await new CofferWindow(app.page).expectReady('Archive');
  await expect(app.page.getByText('Coffer wasn’t closed properly last time')).toBeVisible();

  await app.page.getByRole('button', { name: 'Show the report' }).click();
  const dialog = app.page.getByRole('dialog', { name: 'Report for support' });
  const text = dialog.getByRole('group', { name: 'The report' });
  await expect(text).toContainText('1: http, ready');
  await expect(text).toContainText('it was ended from outside');
  const shown = (await text.textContent()) ?? '';
  for (const own of [app.folder, 'Archive', 'never-in-a-report', new URL(baseAddress).host])
    expect(shown).not.toContain(own);

  const path = join(app.folder, 'report.txt');
  app.answerDialogs([path]);
  await dialog.getByRole('button', { name: 'Save as…' }).click();
  await expect(dialog).toBeHidden();
  expect(readFileSync(path, 'utf8')).toBe(shown);
  await expect(app.page.getByText('Coffer wasn’t closed properly last time')).toBeHidden();

  expect(existsSync(join(app.userData, 'logs', 'crash.json'))).toBe(false);
  await service.close();
});

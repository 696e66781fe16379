import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { requestData, startService } from '../service.ts';

const token = 'a-token';

for (const { format, file } of [
  { format: 'JSON Lines', file: 'list.jsonl' },
  { format: 'CSV', file: 'list.csv' },
])
  test(`a note, a check, and the list out and in again as ${format} after the service was removed @all`, async ({
    app,
  }) => {
    const { page } = app;
    const service = await startService(app.folder, { token });
    const connection = { name: 'Archive', baseAddress: service.baseAddress, token };
    const files = writeFiles(join(app.folder, 'mine'), {
      'minutes.txt': 4321,
      'plan.pdf': 999,
      'lost.bin': 12,
    });
    const coffer = new CofferWindow(page);
    await coffer.connect(connection);
    await app.drop(Object.values(files));
    await coffer.startUpload(3);
    for (const name of Object.keys(files)) await coffer.expectStored(name);

    await coffer.row('minutes.txt').click();
    await coffer.showTab('Details');
    await page.getByRole('button', { name: 'Add a note…' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Signed, "final"; ask Ülle\n=1+1');
    await page.getByRole('button', { name: 'Save note' }).click();
    await expect(page.getByRole('region', { name: 'Note' })).toContainText('ask Ülle');
    await coffer.search.fill('ülle');
    await expect(coffer.objects).toHaveAttribute('aria-rowcount', '2');
    await expect(page.getByText('1 of 3', { exact: true })).toBeVisible();
    await coffer.search.fill('');
    await coffer.search.click();
    await coffer.search.fill('kind:');
    await page.getByRole('option', { name: 'Document' }).click();
    await expect(coffer.search).toHaveValue('kind:document ');
    await page.getByRole('button', { name: 'Clear search' }).click();
    await expect(coffer.search).toHaveValue('');
    await page.keyboard.press('Escape');

    await requestData(service, token, 'DELETE', 'lost.bin');
    await coffer.row('minutes.txt').click();
    await page.keyboard.press('ControlOrMeta+a');
    await expect(coffer.selectionBar).toContainText('3 selected');
    await page.keyboard.press('F5');
    await expect(coffer.urgentMessages).toContainText('Checked 3 objects: 2 present, 1 missing');
    await expect(coffer.row('lost.bin')).toContainText('Missing');

    await coffer.openSettings();
    const path = join(app.folder, file);
    app.answerDialogs([path]);
    await page.getByRole('button', { name: format, exact: true }).click();
    await expect(page.getByText(/^3 objects written to list/)).toContainText(file);
    expect(readFileSync(path, 'utf8')).toContain('ask Ülle');
    expect(readFileSync(path, 'utf8')).not.toContain(token);

    await page.getByRole('button', { name: 'Remove Archive' }).click();
    const remove = page.getByRole('alertdialog', { name: 'Remove Archive?' });
    await remove.getByRole('radio', { name: /^Remove its list, too/ }).click();
    await remove.getByRole('button', { name: 'Remove', exact: true }).click();
    await coffer.connect(connection);
    await expect(page.getByText('Nothing in this list yet')).toBeVisible();
    await coffer.openSettings();
    app.answerDialogs([path]);
    await page.getByRole('button', { name: 'Import…' }).click();
    const report = page.getByRole('dialog', { name: /^Imported list/ });
    await expect(report).toContainText('3 objects added');
    await expect(report).not.toContainText('skipped');
    await report.getByRole('button', { name: 'Done' }).click();
    await coffer.collection('All objects').click();
    await expect(coffer.objects).toHaveAttribute('aria-rowcount', '4');
    await expect(coffer.row('minutes.txt')).toContainText('4 KB');
    await expect(coffer.row('lost.bin')).toContainText('Missing');
    await coffer.row('minutes.txt').click();
    await coffer.showTab('Details');
    await expect(page.getByRole('region', { name: 'Note' })).toContainText('Signed, "final"; ask Ülle =1+1');
    await coffer.download('minutes.txt');
    await expect(coffer.transfer('minutes.txt', 'download', 'Done')).toContainText('digest matches');
    await service.close();
  });

test('adds the identifiers that exist from a pasted list @all', async ({ app }) => {
  const { page } = app;
  const service = await startService(app.folder, { token });
  await requestData(service, token, 'POST', 'old/known #1.txt', new Uint8Array(2500));
  const coffer = new CofferWindow(page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token });
  await page.getByRole('button', { name: 'More ways to add' }).click();
  await page.getByRole('menuitem', { name: /^Add known identifiers/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Add known identifiers' });
  await dialog.getByRole('textbox', { name: 'Identifiers' }).fill('old/known #1.txt\r\n\r\nnever/was.txt\n');
  await dialog.getByRole('button', { name: 'Check and add 2 objects' }).click();
  await expect(dialog).toContainText('1 identifier added');
  await expect(dialog).toContainText('1 not found at the service');
  await expect(dialog.getByRole('textbox', { name: 'Not found' })).toHaveValue('never/was.txt');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  await coffer.expectStored('old/known #1.txt');
  await expect(coffer.row('never/was.txt')).toHaveCount(0);
  await coffer.download('old/known #1.txt');
  await expect(coffer.transfer('old/known #1.txt', 'download', 'Done')).toContainText('size matches');
  await service.close();
});

test('a long check shows its progress and can be stopped @all', async ({ app }) => {
  const { page } = app;
  const service = await startService(app.folder, { token, ratePerSecond: 20 });
  const coffer = new CofferWindow(page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token });
  await coffer.openSettings();
  await page.getByRole('button', { name: 'Add…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add known identifiers' });
  const identifiers = Array.from({ length: 500 }, (_, at) => `never/was-${at}.txt`);
  await dialog.getByRole('textbox', { name: 'Identifiers' }).fill(identifiers.join('\n'));
  await dialog.getByRole('button', { name: 'Check and add 500 objects' }).click();
  await dialog.getByRole('button', { name: 'Continue in background' }).click();
  await expect(page.getByText(/^Adding [1-9]\d* of 500/)).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/^Stopped adding after [\d,]+ of 500/)).toBeVisible();
  await expect(page.getByText(/^Adding [\d,]+ of 500/)).toBeHidden();
  await service.close();
});

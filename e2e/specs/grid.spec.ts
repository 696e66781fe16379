import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { drawPng } from '../pictures/png.ts';

test('shows what was uploaded from here as tiles, without fetching it, and stays so', async ({ app }) => {
  const coffer = new CofferWindow(app.page);
  const folder = join(app.folder, 'mine');
  mkdirSync(folder);
  const put = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const picture = put(
    'harbour.png',
    drawPng(640, 400, (x, y) => [x % 256, y % 256, 90]),
  );
  const notes = put('notes.md', '# Harbour\n\nFirst draft');
  const archive = put('site.zip', Buffer.from('PK\x03\x04\0\0\0\0'));
  await coffer.tryOnThisComputer();
  await app.drop([picture, notes, archive]);
  await coffer.startUpload(3);
  for (const name of ['harbour.png', 'notes.md', 'site.zip']) await coffer.expectStored(name);

  await app.page.getByRole('button', { name: 'Show as a grid' }).click();
  await expect(coffer.row('harbour.png').locator('canvas')).toHaveAttribute('width', '320');
  await expect(coffer.row('notes.md')).toContainText('First draft');
  await expect(coffer.row('site.zip')).toContainText('8 B');
  // Details show it, too, and nobody had to ask.
  await coffer.row('harbour.png').click();
  await expect(app.page.getByRole('img', { name: 'Preview of harbour.png' })).toBeVisible();
  await coffer.row('site.zip').click();
  await expect(app.page.getByText('Only text and pictures have a preview')).toBeVisible();

  // A file that was removed here shows an icon.
  rmSync(notes);
  await app.restart();
  const again = new CofferWindow(app.page);
  await expect(again.row('harbour.png').locator('canvas')).toBeVisible();
  await expect(again.row('notes.md')).not.toContainText('First draft');
});

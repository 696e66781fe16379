import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

/** The final check is due a minute later by wall time: with the clock set back at first, it is due at the right time. */
test.use({ earlierMs: 90_000 });

test('changes the classification of several objects by keyboard, across a restart @all', async ({ app }) => {
  const files = writeFiles(join(app.folder, 'mine'), { 'a.txt': 300, 'b.txt': 900_000 });
  let coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.chooseClassification('Internal');
  await coffer.startUpload(2);
  for (const name of Object.keys(files)) await coffer.expectStored(name);

  await coffer.row('a.txt').click();
  await app.page.keyboard.press('ControlOrMeta+a');
  await app.page.keyboard.press('Shift+F10');
  await app.page.getByRole('menuitem', { name: 'Change classification…' }).press('Enter');
  const dialog = app.page.getByRole('dialog', { name: 'Change classification of 2 objects' });
  const change = dialog.getByRole('button', { name: 'Change 2 objects' });
  await expect(change).toBeDisabled();
  await dialog.getByRole('combobox', { name: 'Classification' }).fill('Restr');
  await app.page.keyboard.press('ArrowDown');
  await app.page.keyboard.press('Enter');
  await change.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(coffer.transfers.getByText('Final check')).toHaveCount(2);

  await app.restart();
  coffer = new CofferWindow(app.page);
  for (const name of Object.keys(files)) {
    await coffer.expectStored(name);
    await expect(coffer.row(name)).toContainText('Restricted');
  }
  await expect(coffer.collection('Restricted')).toContainText('2');
});

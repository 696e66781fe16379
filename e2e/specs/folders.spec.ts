import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { type App, expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

const names = ['notes.txt', 'photos/2.jpg', 'photos/10.jpg', 'photos/beach/1.jpg', 'reports/july.pdf'];

/** Files, with what is stored there. */
async function openFiles(app: App): Promise<CofferWindow> {
  const coffer = new CofferWindow(app.page);
  writeFiles(app.folder, Object.fromEntries(names.map((name) => [name, 100])));
  await coffer.tryOnThisComputer();
  await app.drop(['notes.txt', 'photos', 'reports'].map((name) => join(app.folder, name)));
  await coffer.startUpload(names.length);
  for (const name of names) await coffer.expectStored(name);
  await coffer.showFiles();
  return coffer;
}

const title = ({ page }: CofferWindow) => page.getByRole('heading', { level: 1 });
/** Names of the visible rows, folders first. */
const shown = ({ objects }: CofferWindow) =>
  objects
    .locator('[data-row-index]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')?.split(', ')[0]));

test('folders by mouse: open, up, back, select, drag, delete @all', async ({ app }) => {
  const { page } = app;
  const coffer = await openFiles(app);
  await expect.poll(() => shown(coffer)).toEqual(['photos', 'reports', 'notes.txt']);
  await expect(coffer.folder('photos')).toHaveAccessibleName('photos, folder, 3 objects');

  await test.step('a double click opens, the trail and the side buttons of the mouse lead back', async () => {
    await coffer.folder('photos').dblclick();
    await expect(title(coffer)).toHaveText('photos');
    await expect.poll(() => shown(coffer)).toEqual(['beach', '2.jpg', '10.jpg']);
    await coffer.folder('beach').dblclick();
    await expect(title(coffer)).toHaveText('beach');
    await expect(coffer.collection('beach')).toHaveAttribute('aria-current', 'page');
    await page
      .getByRole('navigation', { name: 'Folders above' })
      .getByRole('button', { name: 'Files' })
      .click();
    await expect(title(coffer)).toHaveText('Files');
    for (const [button, place] of [
      ['back', 'beach'],
      ['forward', 'Files'],
    ] as const) {
      await page.evaluate(
        (which) => window.dispatchEvent(new MouseEvent('mouseup', { button: which, cancelable: true })),
        button === 'back' ? 3 : 4,
      );
      await expect(title(coffer)).toHaveText(place);
    }
  });

  await test.step('a selection of folders and an object counts what is in them', async () => {
    await coffer.folder('photos').click();
    await coffer.folder('reports').click({ modifiers: ['ControlOrMeta'] });
    await coffer.row('notes.txt').click({ modifiers: ['ControlOrMeta'] });
    await expect(coffer.selectionBar).toContainText('2 folders, 5 objects');
    await coffer.showTab('Details');
    await expect(coffer.dock.getByRole('heading', { level: 2 }).last()).toHaveText(
      '2 folders, 5 objects selected',
    );
  });

  await test.step('a folder dropped on another one keeps its name there', async () => {
    await coffer.selectionBar.getByRole('button', { name: 'Clear selection' }).click();
    await coffer.folder('reports').dragTo(coffer.folder('photos'));
    await expect(coffer.folder('reports')).toHaveCount(0);
    await expect(coffer.folder('photos')).toHaveAccessibleName('photos, folder, 4 objects');
    await coffer.folder('photos').dblclick();
    await expect(coffer.folder('reports')).toHaveAccessibleName('reports, folder, 1 object');
  });

  await test.step('what is uploaded into the open folder is selected there', async () => {
    writeFiles(app.folder, { 'new.txt': 50 });
    await app.drop([join(app.folder, 'new.txt')]);
    await coffer.startUpload(1);
    await expect(coffer.row('new.txt')).toHaveAttribute('aria-selected', 'true');
  });

  await test.step('a deletion asks, says how many objects it means, and deletes them', async () => {
    await coffer.folder('beach').click();
    await coffer.folder('reports').click({ modifiers: ['ControlOrMeta'] });
    await coffer.selectionBar.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 2 objects?' });
    await expect(question).toContainText('photos/beach/1.jpg');
    await question.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => shown(coffer)).toEqual(['2.jpg', '10.jpg', 'new.txt']);
  });
});

test('folders by keyboard alone: open, up, back, select, rename, delete @all', async ({ app }) => {
  const { page } = app;
  const { keyboard } = page;
  const coffer = await openFiles(app);
  const cursor = coffer.objects.locator('.is-cursor');
  await coffer.objects.focus();
  await keyboard.press('p');
  await expect(cursor).toHaveAccessibleName(/^photos, folder/);
  await keyboard.press('Enter');
  await expect(title(coffer)).toHaveText('photos');
  await keyboard.press('Enter');
  await expect(title(coffer)).toHaveText('beach');
  await keyboard.press('Backspace');
  await expect(title(coffer)).toHaveText('photos');
  await expect(cursor).toHaveAccessibleName(/^beach, folder/);
  await keyboard.press('Alt+ArrowUp');
  await expect(title(coffer)).toHaveText('Files');
  await expect(cursor).toHaveAccessibleName(/^photos, folder/);
  await keyboard.press('Alt+ArrowLeft');
  await expect(title(coffer)).toHaveText('photos');
  await keyboard.press('Alt+ArrowRight');
  await expect(title(coffer)).toHaveText('Files');

  await keyboard.press('ControlOrMeta+a');
  await expect(coffer.selectionBar).toContainText('2 folders, 5 objects');
  await keyboard.press('End');
  await keyboard.press('Shift+ArrowUp');
  await expect(coffer.selectionBar).toContainText('1 folder, 2 objects');

  await keyboard.press('Home');
  await keyboard.press('F2');
  const name = coffer.objects.getByRole('textbox', { name: 'Name' });
  await expect(name).toHaveValue('photos');
  await expect(name).toBeFocused();
  await keyboard.type('pictures');
  await keyboard.press('Enter');
  await expect(coffer.folder('pictures')).toHaveAccessibleName('pictures, folder, 3 objects');
  // The old ones are deleted after the new ones are verified.
  await expect(coffer.folder('photos')).toHaveCount(0);

  await coffer.objects.focus();
  await keyboard.press('Home');
  await expect(cursor).toHaveAccessibleName(/^pictures, folder/);
  await keyboard.press('Delete');
  const question = page.getByRole('alertdialog', { name: 'Delete 3 objects?' });
  await question.getByRole('button', { name: 'Delete' }).focus();
  await keyboard.press('Enter');
  await expect.poll(() => shown(coffer)).toEqual(['reports', 'notes.txt']);
});

test('a new folder by mouse: create, open, fill, move, undo, delete @all', async ({ app }) => {
  const { page } = app;
  const coffer = await openFiles(app);
  const dialog = page.getByRole('dialog', { name: 'New folder' });
  const create = async (name: string) => {
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Create folder' }).click();
  };
  const undo = page.getByRole('button', { name: 'Undo' });

  await test.step('the menu of ways to add creates it: selected, in the list and in the sidebar', async () => {
    await page.getByRole('button', { name: 'More ways to add' }).click();
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await create('photos');
    await expect(dialog).toContainText('There is a folder with this name already.');
    await create('drafts');
    await expect(coffer.folder('drafts')).toHaveAccessibleName('drafts, folder, 0 objects');
    await expect(coffer.folder('drafts')).toHaveAttribute('aria-selected', 'true');
    await expect(coffer.collection('drafts')).toBeVisible();
    await expect(coffer.selectionBar.getByRole('button', { name: 'Download' })).toHaveCount(0);
  });

  await test.step('the menu of a folder creates one inside of it', async () => {
    await coffer.folder('photos').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await expect(dialog).toContainText('In photos');
    await create('sketches');
    await expect(title(coffer)).toHaveText('photos');
    await expect(coffer.folder('sketches')).toHaveAttribute('aria-selected', 'true');
    await coffer.showFiles();
  });

  await test.step('a drag moves it without a question, and Undo moves it back', async () => {
    await coffer.folder('drafts').dragTo(coffer.folder('reports'));
    await expect(coffer.folder('drafts')).toHaveCount(0);
    await undo.click();
    await expect(coffer.folder('drafts')).toHaveCount(1);
  });

  await test.step('its empty state says what it is, and what is stored in it makes it a folder like others', async () => {
    await coffer.folder('drafts').dblclick();
    await expect(
      page.getByText('It is kept on this computer until something is stored in it.'),
    ).toBeVisible();
    writeFiles(app.folder, { 'draft.txt': 50 });
    await app.drop([join(app.folder, 'draft.txt')]);
    await coffer.startUpload(1);
    await coffer.expectStored('draft.txt');
    await coffer.showFiles();
    await expect(coffer.folder('drafts')).toHaveAccessibleName('drafts, folder, 1 object');
  });

  await test.step('the empty area has a menu, too', async () => {
    await coffer.objects.click({ button: 'right', position: { x: 200, y: 400 } });
    await page.getByRole('menuitem', { name: 'New folder' }).click();
    await create('empty');
    await coffer.selectionBar.getByRole('button', { name: 'Delete' }).click();
    await expect(coffer.folder('empty')).toHaveCount(0);
    await undo.click();
    await expect(coffer.folder('empty')).toHaveCount(1);
  });
});

test('a new folder by keyboard alone: create, open, delete, undo @all', async ({ app }) => {
  const { page } = app;
  const { keyboard } = page;
  const coffer = await openFiles(app);
  const cursor = coffer.objects.locator('.is-cursor');
  await coffer.objects.focus();
  await keyboard.press('ControlOrMeta+Shift+N');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(coffer.folder('New folder')).toHaveCount(0);
  await keyboard.press('ControlOrMeta+Shift+N');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(cursor).toHaveAccessibleName('New folder, folder, 0 objects');
  await expect(coffer.objects).toBeFocused();

  await keyboard.press('Enter');
  await expect(title(coffer)).toHaveText('New folder');
  await keyboard.press('Backspace');
  await expect(cursor).toHaveAccessibleName(/^New folder/);
  await keyboard.press('Home');
  await keyboard.press('Delete');
  await expect(coffer.folder('New folder')).toHaveCount(0);
  await keyboard.press('ControlOrMeta+z');
  await expect(coffer.folder('New folder')).toHaveCount(1);
});

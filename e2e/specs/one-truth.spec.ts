import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type FaultServer, startFaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { type App, expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

const names = ['a.txt', 'b.txt', 'photos/1.jpg'];

/** Files of a service, with what is stored there and is no longer on this computer. */
async function openFiles(app: App, service: FaultServer): Promise<CofferWindow> {
  const { baseAddress, token } = service;
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress, token });
  const paths = Object.values(writeFiles(app.folder, Object.fromEntries(names.map((name) => [name, 100]))));
  await app.drop(['a.txt', 'b.txt', 'photos'].map((name) => join(app.folder, name)));
  await coffer.startUpload(names.length);
  for (const name of names) await coffer.expectStored(name);
  for (const path of paths) rmSync(path);
  await coffer.showFiles();
  return coffer;
}

const state = ({ page }: CofferWindow, name: string) =>
  page.getByRole('button', { name: `Service Archive, ${name}` });
const breakOff = () => ({ cutAnswerAtBytes: 0 });

test('one truth by mouse: each answer changes its row, and the state of the service is the same everywhere @all', async ({
  app,
}) => {
  const service = await startFaultServer();
  const { page } = app;
  const coffer = await openFiles(app, service);
  const check = coffer.selectionBar.getByRole('button', { name: 'Check' });

  await test.step('a preview of what is gone makes its row Missing', async () => {
    service.objects.delete('b.txt');
    await coffer.row('b.txt').click();
    await coffer.dock.getByRole('button', { name: 'Show preview' }).click();
    await expect(coffer.row('b.txt')).toContainText('Missing');
  });

  await test.step('the first request that breaks off is seen in the sidebar and in a dialog', async () => {
    service.plan = breakOff;
    await coffer.row('a.txt').click();
    await check.click();
    await expect(state(coffer, 'Connection lost')).toBeVisible();
    await coffer.folder('photos').click();
    await coffer.selectionBar.getByRole('button', { name: 'Delete' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete 1 object?' });
    await expect(question).toContainText('Connection lost');
    await question.getByRole('button', { name: 'Cancel' }).click();
  });

  await test.step('and so is the first that is answered', async () => {
    service.plan = () => null;
    await coffer.row('a.txt').click();
    await check.click();
    await expect(state(coffer, 'Ready')).toBeVisible();
  });
  await service.close();
});

test('one truth by keyboard alone: a check says what is gone, and nothing is green that does not answer @all', async ({
  app,
}) => {
  const service = await startFaultServer();
  const coffer = await openFiles(app, service);
  const { keyboard } = app.page;
  service.objects.delete('b.txt');
  await coffer.objects.focus();
  await keyboard.press('End');
  await expect(coffer.row('b.txt')).toHaveAttribute('aria-selected', 'true');
  await keyboard.press('F5');
  await expect(coffer.row('b.txt')).toContainText('Missing');

  service.plan = breakOff;
  await keyboard.press('ArrowUp');
  await keyboard.press('F5');
  await expect(state(coffer, 'Connection lost')).toBeVisible();
  await keyboard.press('Home');
  await keyboard.press('Delete');
  const question = app.page.getByRole('alertdialog', { name: 'Delete 1 object?' });
  await expect(question).toContainText('Connection lost');
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(question).toBeHidden();
  service.plan = () => null;
  await coffer.objects.focus();
  await keyboard.press('ArrowDown');
  await keyboard.press('F5');
  await expect(state(coffer, 'Ready')).toBeVisible();
  await service.close();
});

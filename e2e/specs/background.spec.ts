import { join } from 'node:path';
import { startFaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test.use({ signs: ['org.kde.StatusNotifierWatcher', 'org.freedesktop.Notifications'] });

test('closing during an upload hides the window behind an icon, a second start shows it again, and Coffer ends by itself when all is stored @all', async ({
  app,
}) => {
  let isHeld = true;
  const service = await startFaultServer({
    plan: ({ method }) => (method === 'POST' ? { holdRequest: () => !isHeld } : null),
  });
  const { 'a.bin': file = '' } = writeFiles(join(app.folder, 'mine'), { 'a.bin': 2_000_000 });
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  const shown = { isVisible: true, hasIcon: false };
  const hidden = { isVisible: false, hasIcon: true, isAwake: true };
  expect(await app.state()).toMatchObject({ ...shown, isAwake: false });

  await app.drop([file]);
  await coffer.startUpload(1);
  await expect.poll(() => service.openUploads()).toBe(1);
  await expect.poll(app.state).toMatchObject({ ...shown, isAwake: true });
  app.closeWindow();
  await expect.poll(app.state).toMatchObject(hidden);

  await app.startAgain();
  await expect.poll(app.state).toMatchObject({ ...shown, isAwake: true });
  await coffer.showTab('Transfers');
  await expect(coffer.transfers.getByRole('listitem', { name: 'a.bin, upload' })).toBeVisible();

  app.closeWindow();
  await expect.poll(app.state).toMatchObject(hidden);
  expect(service.openUploads()).toBe(1);
  isHeld = false;
  await app.ended();
  expect(service.objects.get('a.bin')?.bytes.length).toBe(2_000_000);
  await service.close();
});

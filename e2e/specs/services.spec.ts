import { join } from 'node:path';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

test('several services, each with a list of its own', async ({ app }) => {
  const service = await startService(app.folder, { token: 'a-token' });
  const files = writeFiles(join(app.folder, 'mine'), { 'here.txt': 100, 'there.txt': 200 });
  const coffer = new CofferWindow(app.page);
  await coffer.tryOnThisComputer();
  await app.drop([files['here.txt'] ?? '']);
  await coffer.startUpload(1);
  await coffer.expectStored('here.txt');

  await coffer.addService({ name: 'Archive', baseAddress: service.baseAddress, token: 'a-token' });
  await expect(coffer.row('here.txt')).toBeHidden();
  await app.drop([files['there.txt'] ?? '']);
  await coffer.startUpload(1);
  await coffer.expectStored('there.txt');

  await coffer.switchTo('This computer');
  await coffer.expectStored('here.txt');
  await expect(coffer.row('there.txt')).toBeHidden();

  await app.restart();
  const again = new CofferWindow(app.page);
  await again.expectReady('This computer');
  await again.expectStored('here.txt');
  await again.switchTo('Archive');
  await again.expectStored('there.txt');
  await expect(again.row('here.txt')).toBeHidden();

  // An unreachable service says so, and keeps its list.
  await service.close();
  await again.chooseFromSwitcher('Check the connection');
  await expect(app.page.getByRole('button', { name: 'Service Archive, Unreachable' })).toBeVisible();
  await again.expectStored('there.txt');
});

import { join } from 'node:path';
import { startFaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('30 dropped files are one entry, which opens into them, is cancelled as a whole and tells what failed @all', async ({
  app,
}) => {
  let isHeld = true;
  const service = await startFaultServer();
  service.plan = ({ method, identifier }) => {
    if (method !== 'POST') return null;
    if (identifier.endsWith('-12.jpg')) return { status: 403 };
    // By name: several are sent at once, and stored in any order.
    return /-1[013]\.jpg$/.test(identifier) ? null : { holdRequest: () => !isHeld };
  };
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token: service.token });
  // Those that are held are large: the others are verified beside them.
  const lengthAt = (at: number) => (at < 4 ? 20_000 : 1_100_000) + at;
  const lengths = Array.from({ length: 30 }, (_, at) => [`Holiday/picture-${at + 10}.jpg`, lengthAt(at)]);
  writeFiles(app.folder, Object.fromEntries(lengths));
  await app.drop([join(app.folder, 'Holiday')]);
  await coffer.startUpload(30);
  await coffer.showTab('Transfers');

  const entries = coffer.transfers.getByRole('listitem');
  const moving = entries.filter({ hasText: 'Uploading 30 files' });
  await expect(moving).toHaveAccessibleName('Uploading 30 files, Holiday, 3 of 30, 1 failed');
  const failed = coffer.transfer('Holiday/picture-12.jpg', 'upload', 'Failed');
  await expect(failed).toBeVisible();
  await expect(entries).toHaveCount(2);

  await moving.focus();
  await app.page.keyboard.press('Enter');
  await expect(coffer.transfer('Holiday/picture-14.jpg', 'upload', 'Uploading')).toBeVisible();
  await expect(moving).toBeFocused();
  await app.page.keyboard.press('ArrowLeft');
  await expect(entries).toHaveCount(2);

  await app.page.keyboard.press('Delete');
  const overIn = ({ transfers }: CofferWindow) =>
    transfers.getByRole('listitem').filter({ hasText: 'of 30 files uploaded' });
  await expect(overIn(coffer)).toHaveAccessibleName(
    /^3 of 30 files uploaded, Holiday, .*26 cancelled, 1 failed$/,
  );
  isHeld = false;
  await app.restart();
  const again = new CofferWindow(app.page);
  await again.showTab('Transfers');
  const over = overIn(again);
  await expect(over).toHaveAccessibleName(/26 cancelled, 1 failed$/);
  service.plan = () => null;
  await over.getByRole('button', { name: 'Try 1 again' }).click();
  await expect(over).toHaveAccessibleName(/^4 of 30 files uploaded, .*26 cancelled$/);
  await service.close();
});

import { join } from 'node:path';
import { startFaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

const count = 40;

test('groups waiting transfers during an outage, sends hardly any requests, and resumes with Try now @all', async ({
  app,
}) => {
  const service = await startFaultServer({
    plan: () => ({ status: 503, headers: { 'retry-after': '600' } }),
  });
  const { objects, baseAddress, token } = service;
  const port = Number(new URL(baseAddress).port);
  const coffer = new CofferWindow(app.page);
  const { plan } = service;
  service.plan = () => null;
  await coffer.connect({ name: 'Archive', baseAddress, token });
  service.plan = plan;
  await coffer.limitFiles(4);
  const knownRequests = service.requests.length;
  const lengths = Array.from({ length: count }, (_, at) => [`part-${at + 10}.bin`, 20_000 + at]);
  const files = writeFiles(join(app.folder, 'mine'), Object.fromEntries(lengths));
  await app.drop(Object.values(files));
  await coffer.startUpload(count);
  await coffer.showTab('Transfers');

  // One batch: only its entry says what blocks it.
  const entry = coffer.transfers.getByRole('listitem', { name: new RegExp(`^${count} files to upload, `) });
  await expect(entry).toHaveAccessibleName(/Waiting 10 min, the service had an error$/);
  await expect(coffer.transfers.getByRole('listitem')).toHaveCount(1);
  // Requests that began before the first failure, and none after.
  const requests = () => service.requests.length - knownRequests;
  expect(requests()).toBeLessThanOrEqual(4);
  const before = requests();
  await entry.getByRole('button', { name: 'Try now' }).click();
  await expect.poll(requests).toBe(before + 1);
  await expect(entry).toContainText('Waiting 10 min');

  await service.close();
  await entry.getByRole('button', { name: 'Try now' }).click();
  await expect(entry).toHaveAccessibleName(/Waiting .+, can’t reach the service$/);
  await expect(coffer.statusLine).not.toContainText('failed');

  const back = await startFaultServer({ objects, token, port });
  await entry.getByRole('button', { name: 'Try now' }).click();
  await expect.poll(() => objects.size).toBe(count);
  await expect(coffer.transfersThat('upload', 'Waiting')).toHaveCount(0);
  await expect(coffer.statusLine).toContainText('No transfers');
  await expect(coffer.statusLine).not.toContainText('failed');
  await coffer.expectReady('Archive');
  await back.close();
});

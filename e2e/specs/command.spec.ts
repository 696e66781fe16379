import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startFaultServer } from '../faults/fault-server.ts';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';

test('what the command begins is seen in the window, and the other way round; it pauses the app; what an editor saves over a change waits for an answer; another service has another list', async ({
  app,
}) => {
  const program = join(import.meta.dirname, '..', '..', 'out', 'main', 'command.js');
  const coffer = async (...args: string[]) => {
    const command = ['--disable-warning=ExperimentalWarning', program, '--user-data-dir', app.userData];
    return (await promisify(execFile)(process.execPath, [...command, ...args])).stdout;
  };
  let isHeld = true;
  const service = await startFaultServer({
    plan: ({ method }) => (method === 'POST' ? { holdRequest: () => !isHeld } : null),
  });
  const { baseAddress, token } = service;
  const window = new CofferWindow(app.page);
  await window.connect({ name: 'Archive', baseAddress, token });
  const files = writeFiles(join(app.folder, 'mine'), { 'by-command.txt': 10_000, 'by-window.bin': 10_000 });

  const put = coffer('put', files['by-command.txt'] ?? '');
  await expect.poll(() => service.openUploads()).toBe(1);
  await window.showTab('Transfers');
  await expect(window.transfersThat('upload', 'Uploading')).toContainText('by-command.txt');
  // Wait for its row, which arrives separately: the next upload opens Details only if the list is empty.
  await expect(window.row('by-command.txt')).toBeVisible();

  await app.drop([files['by-window.bin'] ?? '']);
  await window.startUpload(1);
  await expect.poll(() => service.openUploads()).toBe(2);
  const listed = (await coffer('transfers', '--json')).trim().split('\n');
  expect(listed.map((line) => (JSON.parse(line) as { identifier: string }).identifier).toSorted()).toEqual([
    'by-command.txt',
    'by-window.bin',
  ]);

  await coffer('pause');
  await expect(window.statusLine).toContainText('Paused, 2 finish first');
  await coffer('resume');
  await expect(window.statusLine).not.toContainText('Paused');
  isHeld = false;
  await put;
  await expect(window.transfersThat('upload', 'Done')).toHaveCount(2);

  await test.step('a save of an object that was changed meanwhile is sent when a person says so', async () => {
    // Rows move until both are stored.
    for (const each of ['by-command.txt', 'by-window.bin']) await window.expectStored(each);
    await window.row('by-command.txt').click();
    await window.dock.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect.poll(app.opened).toHaveLength(1);
    const textOf = (identifier: string) => service.objects.get(identifier)?.bytes.toString();
    service.objects.set('by-command.txt', { bytes: Buffer.from('theirs'), classification: null });
    writeFileSync(app.opened()[0] ?? '', 'mine');
    await expect(window.row('by-command.txt')).toContainText('Needs your answer');
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
    await app.page.getByRole('button', { name: /open edit/ }).click();
    const edits = app.page.getByRole('dialog', { name: 'Open edits' });
    await expect(edits).toContainText('Nothing was sent. Your save is kept here.');
    await edits.getByRole('button', { name: 'Keep mine as a new version' }).click();
    await expect(edits).toContainText(/Editing, saved .+, stored/);
    expect([textOf('by-command.txt'), textOf('by-command@2.txt')]).toEqual(['theirs', 'mine']);
    // Its button has gone, and the panel takes the focus back a frame later.
    await expect(edits.locator(':focus')).toBeVisible();
    await app.page.keyboard.press('Escape');
    await expect(edits).toBeHidden();
  });

  await test.step('a service that is away keeps its list, and another one has its own', async () => {
    await service.close();
    await window.chooseFromSwitcher('Check the connection');
    await expect(app.page.getByRole('button', { name: 'Service Archive, Unreachable' })).toBeVisible();
    await window.expectStored('by-window.bin');
    await window.chooseFromSwitcher('Try it on this computer');
    await window.expectReady('This computer');
    await expect(window.row('by-window.bin')).toBeHidden();
  });
});

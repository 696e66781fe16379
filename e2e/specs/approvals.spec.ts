import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';

const root = join(import.meta.dirname, '..', '..');
const value = 'Zq9-tin-otter-lantern-harbour-52';

test('a program gets secrets when the window allows it, not when it refuses, and asks again when that was ended', async ({
  app,
}) => {
  const token = 'token-of-ada';
  const service = await startService(join(app.folder, 'elsewhere'), { token, processingMs: 20 });
  const coffer = new CofferWindow(app.page);
  await coffer.connect({ name: 'Archive', baseAddress: service.baseAddress, token });
  writeFileSync(join(app.folder, '.env'), 'PW=coffer://Archive/secret/db/pw\n');

  const stored = run(['secret', 'new', 'db/pw']);
  stored.child.stdin.end(value);
  expect(await stored.ended).toBe(0);

  const words = ['run', '--env-file', '.env', '--', 'sh', '-c', 'test -n "$PW" && echo "got $PW"'];
  const dialog = app.page.getByRole('alertdialog', { name: 'sh asks for 1 secret' });
  const refused = run(words);
  await expect(dialog).toContainText('db/pw');
  await expect(dialog).toContainText('Archive');
  await expect(dialog.getByRole('button', { name: 'Refuse' })).toBeFocused();
  await app.page.keyboard.press('Enter');
  expect([await refused.ended, refused.said()]).toEqual([
    7,
    expect.stringContaining('The request was refused.'),
  ]);
  await expect(dialog).toBeHidden();

  const allowed = run(words);
  await dialog.getByRole('button', { name: /^Allow for/ }).click();
  expect([await allowed.ended, allowed.said()]).toEqual([
    0,
    expect.stringContaining('got <hidden by coffer>'),
  ]);
  const again = run(words);
  expect(await again.ended).toBe(0);

  await coffer.openSettings();
  await app.page.getByRole('button', { name: /^End permission for/ }).click();
  await expect(app.page.getByText('Programs that get secrets')).toBeVisible();
  const ended = run(words);
  await expect(dialog).toBeVisible();
  await app.page.keyboard.press('Escape');
  expect(await ended.ended).toBe(7);
  await service.close();

  /** `coffer` without a terminal, started by this process. */
  function run(given: readonly string[]) {
    const { COFFER_TOKEN: _token, COFFER_ADDRESS: _address, ...env } = process.env;
    const line = ['--disable-warning=ExperimentalWarning', '--', join(root, 'out/main/command.js')];
    const child = spawn(process.execPath, [...line, '--user-data-dir', app.userData, ...given], {
      cwd: app.folder,
      env,
      detached: true,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    return { child, said: () => said, ended: once(child, 'close').then(([code]) => Number(code)) };
  }
});

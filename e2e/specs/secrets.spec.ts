import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright';
import { modeHere, modeOf } from '../../test-support/file-mode.ts';
import { readBelow } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { startService } from '../service.ts';
import { hasWeston } from '../weston.ts';

const value = 'Zq9-tin-otter-lantern-harbour-52';

/** A form with the value, ready to be stored. */
async function fillSecret(app: App) {
  const token = 'token-of-ada';
  const service = await startService(join(app.folder, 'elsewhere'), { token, processingMs: 300 });
  const coffer = new CofferWindow(app.page);
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();
  await coffer.fillConnection({ name: 'Archive', baseAddress: service.baseAddress, token });
  await app.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Archive');

  await coffer.collection('Secrets').click();
  await expect(app.page.getByText('No secrets yet')).toBeVisible();
  await app.page.getByRole('button', { name: 'New secret' }).first().click();
  const form = app.page.getByRole('dialog', { name: 'New secret' });
  await form.getByRole('textbox', { name: 'Identifier' }).fill('keys/db');
  await form.getByRole('textbox', { name: 'Value' }).fill(value);
  return { service, coffer, form };
}

async function store(app: App, form: Locator): Promise<Locator> {
  await form.getByRole('button', { name: 'Store secret' }).click();
  await expect(form).toBeHidden();
  const row = app.page.getByRole('grid', { name: 'Secrets' }).getByRole('row', { name: /^keys\/db/ });
  await expect(row).toContainText('Stored');
  return row;
}

test('stores, reveals, hides, copies and saves a secret, and gives it to the programs that the window allows; it stays nowhere', async ({
  app,
}) => {
  const { service, coffer, form } = await fillSecret(app);
  // Assistive technology gets no more than the eye sees.
  const session = await app.page.context().newCDPSession(app.page);
  expect(JSON.stringify(await session.send('Accessibility.getFullAXTree'))).not.toContain(value);
  await session.detach();
  const row = await store(app, form);
  // The button of the empty list is gone, so the list has the focus.
  await expect(coffer.secrets).toBeFocused();
  expect(await holdsValue()).toBe(false);

  const reveal = async () => {
    await row.hover();
    await row.getByRole('button', { name: 'Reveal' }).click();
    await expect(app.page.getByRole('textbox', { name: 'Value of keys/db' })).toHaveText(value);
  };
  await reveal();
  await app.page.getByRole('button', { name: 'Hide', exact: true }).click();
  expect(await holdsValue()).toBe(false);
  await reveal();
  await app.page.evaluate('dispatchEvent(new Event("blur"))');
  await expect.poll(holdsValue).toBe(false);

  await row.hover();
  await row.getByRole('button', { name: 'Copy value' }).click();
  await expect(row).toContainText('Copied');
  expect(await holdsValue()).toBe(false);
  const search = app.page.getByRole('searchbox');
  await search.click();
  await app.page.keyboard.press('ControlOrMeta+V');
  await expect(search).toHaveValue(value);
  await search.fill('');
  await app.page.getByRole('button', { name: 'Clear now' }).click();
  await expect(row).not.toContainText('Copied');
  await search.click();
  await app.page.keyboard.press('ControlOrMeta+V');
  // By then a paste would have happened.
  await app.page.keyboard.press('x');
  await expect(search).toHaveValue('x');
  await search.fill('');
  await app.page.keyboard.press('Escape');

  const path = join(app.folder, 'db.key');
  app.answerDialogs([path]);
  await row.hover();
  await row.getByRole('button', { name: 'Save as…' }).click();
  await app.page.getByRole('alertdialog').getByRole('button', { name: /^Save/ }).click();
  await expect.poll(() => statSync(path, { throwIfNoEntry: false })?.size).toBe(value.length);
  expect(readFileSync(path, 'utf8')).toBe(value);
  expect(modeOf(path)).toBe(modeHere(0o600));

  await test.step('a program gets it when the window allows it, not when it refuses, and asks again when that was ended', () =>
    giveToPrograms(app, coffer));

  await app.close();
  expect(filesWithValue(join(app.userData, '..', 'home'))).toEqual([]);
  expect(filesWithValue(app.userData)).toEqual([]);
  await service.close();

  /** Anywhere in the page: text, attributes, field values. */
  async function holdsValue(): Promise<boolean> {
    const fields = await app.page.locator('input, textarea').all();
    const shown = app.page.evaluate<string>('document.documentElement.textContent');
    const texts = [app.page.content(), shown, ...fields.map((field) => field.inputValue())];
    return (await Promise.all(texts)).some((text) => text.includes(value));
  }
});

async function giveToPrograms(app: App, coffer: CofferWindow): Promise<void> {
  writeFileSync(join(app.folder, '.env'), 'PW=coffer://Archive/secret/keys/db\n');
  const dialog = app.page.getByRole('alertdialog', { name: 'sh asks for 1 secret' });
  const refused = runProgram();
  await expect(dialog).toContainText('keys/db');
  await expect(dialog).toContainText('Archive');
  await expect(dialog.getByRole('button', { name: 'Refuse' })).toBeFocused();
  const allow = dialog.getByRole('button', { name: /^Allow/ });
  await app.page.keyboard.press('Enter');
  expect([await refused.ended, refused.said()]).toEqual([
    7,
    expect.stringContaining('The request was refused.'),
  ]);
  await expect(dialog).toBeHidden();

  await test.step('a press that was meant for something else gives it nothing', async () => {
    await pressAsSoonAsAsked();
    const first = runProgram();
    await expect(allow).toHaveAttribute('data-pressed-at-once');
    await expect(allow).toBeEnabled();
    expect(first.said()).not.toContain('got');
    const second = runProgram();
    await expect(dialog).toContainText('1 more request of');
    await expect(allow).toBeEnabled();
    // Two presses on one spot, and the second question is there.
    await pressWhere(allow, 2);
    expect(await first.ended).toBe(0);
    await expect(dialog).not.toContainText('1 more request of');
    expect(second.said()).not.toContain('got');
    await allow.click();
    expect(await second.ended).toBe(0);
  });

  const allowed = runProgram();
  await expect(allow).toBeEnabled();
  await dialog.getByRole('radio', { name: /^Allow for/ }).click();
  await dialog.getByRole('button', { name: /^Allow for/ }).click();
  expect([await allowed.ended, allowed.said()]).toEqual([
    0,
    expect.stringContaining('got <hidden by coffer>'),
  ]);
  expect(await runProgram().ended).toBe(0);

  await coffer.openSettings();
  const settings = app.page.getByRole('main');
  const end = settings.getByRole('button', { name: /^End permission for/ });
  await end.click();
  await expect(end).toBeHidden();
  const ended = runProgram();
  // Keys go to the focused element, and the dialog takes the focus a moment after it is shown.
  await expect(dialog.getByRole('button', { name: 'Refuse' })).toBeFocused();
  await app.page.keyboard.press('Escape');
  expect(await ended.ended).toBe(7);

  /** A click where the button is, at once and whatever it does with it. */
  /** In the page, so that it comes within the second in which nothing counts, however slow this machine is. */
  async function pressAsSoonAsAsked(): Promise<void> {
    await app.page.evaluate(() => {
      const observer = new MutationObserver(() => {
        const buttons = [...document.querySelectorAll<HTMLElement>('[role="alertdialog"] button')];
        const button = buttons.find((each) => each.textContent.startsWith('Allow'));
        if (!button) return;
        observer.disconnect();
        button.click();
        button.focus();
        for (const key of ['Enter', ' ']) {
          for (const type of ['keydown', 'keyup'])
            button.dispatchEvent(new KeyboardEvent(type, { key, bubbles: true }));
        }
        button.dataset['pressedAtOnce'] = '';
      });
      observer.observe(document.body, { childList: true, subtree: true });
    });
  }

  async function pressWhere(button: Locator, clickCount = 1): Promise<void> {
    await button.waitFor();
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await app.page.mouse.click(x + width / 2, y + height / 2, { clickCount });
  }

  /** `coffer run` without a terminal, started by this process. */
  function runProgram() {
    const { COFFER_TOKEN: _token, COFFER_ADDRESS: _address, ...env } = process.env;
    const coffer = join(import.meta.dirname, '..', '..', 'out/main/command.js');
    const line = ['--disable-warning=ExperimentalWarning', '--', coffer, '--user-data-dir', app.userData];
    const words = ['run', '--env-file', '.env', '--', 'sh', '-c', 'test -n "$PW" && echo "got $PW"'];
    const child = spawn(process.execPath, [...line, ...words], { cwd: app.folder, env, detached: true });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => (said += piece));
    return { said: () => said, ended: once(child, 'close').then(([code]) => Number(code)) };
  }
}

// The stand-in ignores what a window without the focus copies or clears, as GNOME does.
test.describe('on Wayland', () => {
  test.use({ switches: ['--ozone-platform=wayland'] });
  test.skip(
    ({ shell }) => shell === 'electron' && !hasWeston,
    'Electron needs a Wayland display there, and weston is not installed',
  );

  test('a copied secret that cannot be cleared is held until the window has the focus @all', async ({
    app,
  }) => {
    const { service, form } = await fillSecret(app);
    const row = await store(app, form);
    await row.hover();
    await row.getByRole('button', { name: 'Copy value' }).click();
    await expect(row).toContainText('Copied');
    const focus = await app.unfocus();
    await app.page.getByRole('button', { name: 'Clear now' }).click();
    const held = app.page.getByText('Stays on the clipboard until this window is in front');
    await expect(held).toBeVisible();
    await focus();
    await expect(held).toBeHidden();
    await app.page.getByRole('searchbox').click();
    await app.page.keyboard.press('ControlOrMeta+V');
    await expect(app.page.getByRole('searchbox')).toHaveValue('');
    await service.close();
  });
});

test('takes a file dropped on the list for a secret too: shows its bytes, and does not offer them to the clipboard @all', async ({
  app,
}) => {
  const token = 'token-of-ada';
  const service = await startService(join(app.folder, 'elsewhere'), { token, processingMs: 300 });
  const bytes = Buffer.concat([randomBytes(40), Buffer.of(0xff, 0xfe)]);
  const file = join(app.folder, 'site.key');
  writeFileSync(file, bytes);
  const coffer = new CofferWindow(app.page);
  await app.page.getByRole('button', { name: 'Connect to a service' }).click();
  await coffer.fillConnection({ name: 'Archive', baseAddress: service.baseAddress, token });
  await app.page.getByRole('button', { name: 'Connect', exact: true }).click();
  await coffer.expectReady('Archive');

  await coffer.collection('Secrets').click();
  await expect(app.page.getByRole('heading', { name: 'Secrets', exact: true })).toBeVisible();
  await app.drop([file]);
  const form = app.page.getByRole('dialog', { name: 'New secret' });
  await expect(form).toContainText('site.key');
  await expect(form).toContainText('42 of 10,000 bytes');
  await form.getByRole('textbox', { name: 'Identifier' }).fill('certs/site.key');
  await form.getByRole('button', { name: 'Store secret' }).click();
  const row = coffer.secret('certs/site.key');
  await expect(row).toContainText('Stored');
  await coffer.showTab('Jobs');
  await expect(coffer.job('certs/site.key', 'upload', 'Done')).toBeVisible();

  await row.getByRole('button', { name: 'Reveal' }).click();
  await expect(row.getByRole('button', { name: 'Hide', exact: true })).toBeFocused();
  await expect(row).toContainText(`00000000  ${bytes.toString('hex', 0, 3).replaceAll(/..(?=.)/g, '$& ')}`);
  await expect(row.getByRole('button', { name: 'Copy value' })).toBeDisabled();
  await app.page.keyboard.press('Escape');
  await expect(coffer.secrets).toBeFocused();
  await expect(row).not.toContainText('00000000');
  // What was revealed is none of the jobs.
  await coffer.showTab('Jobs');
  await expect(coffer.jobs.getByRole('listitem')).toHaveCount(1);
  await service.close();
});

/** Files below a folder that contain the value, including the browser's own. */
function filesWithValue(folder: string): string[] {
  const traces = [Buffer.from(value), Buffer.from(value, 'utf16le'), Buffer.from(value).toString('hex')];
  return [...readBelow(folder)]
    .filter(([, bytes]) => traces.some((trace) => bytes.includes(trace)))
    .map(([path]) => path);
}

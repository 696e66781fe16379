import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Locator, Page } from 'playwright/test';
import { modeHere, modeOf } from '../../test-support/file-mode.ts';
import { digestOf, writeFiles } from '../files.ts';
import { expect, test, type App } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { drawPng } from '../pictures/png.ts';

test('Quick look plays a sound of any size and shows a PDF, and rows are dragged onto a folder and out as files', async ({
  app,
  shell,
}) => {
  const { page } = app;
  const { mouse } = page;
  const coffer = new CofferWindow(page);
  const put = openFolder(join(app.folder, 'mine'));
  const tune = put('tune.wav', makeWav(3));
  // Too large for memory: played from ranges of the file.
  const concert = put('concert.wav', makeWav(2200));
  const minutes = put('minutes.pdf', makePdf('Minutes'));
  const { 'old/b.txt': old = '' } = writeFiles(app.folder, { 'old/b.txt': 2_000 });
  await coffer.tryOnThisComputer();
  await app.drop([tune, concert, minutes, join(app.folder, 'old')]);
  await coffer.startUpload(4);
  for (const name of ['tune.wav', 'concert.wav', 'minutes.pdf', 'old/b.txt']) await coffer.expectStored(name);

  await test.step('plays sounds from any place', async () => {
    for (const [name, seconds] of [
      ['tune.wav', 3],
      ['concert.wav', 2200],
    ] as const) {
      await coffer.row(name).click();
      await page.keyboard.press('Space');
      await playAlmostAll(page, seconds);
    }
    await expect(coffer.objects).toBeFocused();
  });

  await test.step('a PDF shows its first page', async () => {
    await coffer.row('minutes.pdf').click();
    await expect(page.getByRole('img', { name: 'Preview of minutes.pdf' })).toBeVisible();
  });

  await test.step('a folder takes a row that is dragged onto it', async () => {
    const folder = coffer.collection('old');
    await coffer.row('minutes.pdf').hover();
    await mouse.down();
    // For each element, the browser reports all moves but the first.
    for (const _ of ['first', 'reported']) await folder.hover();
    await expect(folder).toHaveAttribute('data-over');
    await mouse.up();
    await expect(coffer.messages).toContainText('Moving 1 to old');
    await expect(coffer.row('old/minutes.pdf')).toBeVisible();
  });

  await test.step('rows that leave the window are dragged on as files, and come back as rows', async () => {
    // Without a real mouse Windows drops the files at once, wherever the pointer is.
    if (shell === 'electron' && process.platform !== 'linux') return;
    // One must be downloaded; the other is still where it was uploaded from.
    const digest = digestOf(old);
    rmSync(old);
    await coffer.row('tune.wav').click();
    await coffer.row('old/b.txt').click({ modifiers: ['ControlOrMeta'] });
    await coffer.row('tune.wav').hover();
    await mouse.down();
    await mouse.move(400, 200);
    await expect(page.locator('.row-drag')).toHaveText('2 selected');
    await mouse.move(-20, 200);
    if (shell === 'electron') return expectDrag(app);
    // The stand-in only names the files.
    const named = () => /would drag (\[.*\])/.exec(app.output())?.[1];
    await expect.poll(named).toBeDefined();
    await mouse.up();
    await expect(page.locator('.row-drag')).toBeHidden();
    const dragged = JSON.parse(named() ?? '[]') as string[];
    // Each lies in a private folder with a random name.
    const copyOf = (name: string) => dragged.find((path) => basename(path) === name) ?? '';
    const [text, sound] = [copyOf('b.txt'), copyOf('tune.wav')];
    expect(dragged).toHaveLength(2);
    expect(readFileSync(sound)).toEqual(readFileSync(tune));
    expect(digestOf(text)).toBe(digest);
    expect(modeOf(text)).toBe(modeHere(0o600));

    // The system drops them over the sidebar again.
    await app.drop(dragged, coffer.collection('Files'));
    await expect(coffer.sheet).toBeHidden();
    // The other one is there already.
    await expect(coffer.messages).toContainText('Moving 1 to Files');
    await coffer.expectStored('b.txt');
    await expect(coffer.row('old/b.txt')).toBeHidden();
  });
});

/** On X11 Electron's drag ends with the button of the real mouse: the main process must go on until then. */
async function expectDrag({ page, userData }: App): Promise<void> {
  const log = () => readFileSync(join(userData, 'logs', 'coffer.log'), 'utf8');
  await expect.poll(log).toContain('files are dragged');
  await page.evaluate(async () => {
    const { call } = Reflect.get(window, 'coffer') as { call: (name: string) => Promise<unknown> };
    for (let count = 0; count < 50; count += 1) await call('app.info');
  });
  expect(log()).not.toContain('startDrag has returned');
}

/** Creates a folder. @returns a function that writes a file there and returns its path */
function openFolder(folder: string): (name: string, bytes: Uint8Array | string) => string {
  mkdirSync(folder);
  return (name, bytes) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
}

/** Plays the last second of what Quick look shows, and closes it. */
async function playAlmostAll(page: Page, seconds: number): Promise<void> {
  const look = page.getByRole('dialog', { name: /^Quick look/ });
  const player = look.locator('audio');
  await expect(player).toHaveJSProperty('duration', seconds);
  await player.evaluate((audio: HTMLAudioElement, to) => {
    // Space may have started playback.
    audio.pause();
    audio.currentTime = to;
  }, seconds - 1);
  await expect(player).toHaveJSProperty('currentTime', seconds - 1);
  await expect(player).toHaveJSProperty('seeking', false);
  await look.getByRole('button', { name: 'Close' }).last().click();
  await expect(look).toBeHidden();
}

test('a sound is fetched when it is asked for, tiles show what was uploaded from here, and go on after Clear and a restart @all', async ({
  app,
}) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  const put = openFolder(join(app.folder, 'mine'));
  const picture = put(
    'harbour.png',
    drawPng(640, 400, (x, y) => [x % 256, y % 256, 90]),
  );
  const icon = put(
    'icon.png',
    drawPng(24, 16, (x, y) => [x * 10, y * 10, 90]),
  );
  const notes = put('notes.md', '# Harbour\n\nFirst draft');
  const archive = put('site.zip', Buffer.from('PK\x03\x04\0\0\0\0'));
  const concert = put('concert.wav', makeWav(2200));
  const damaged = put('damaged.pdf', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n');
  await coffer.tryOnThisComputer();
  // Only thumbnails of what is always previewed are kept.
  await coffer.openSettings();
  await page.getByRole('button', { name: 'Edit This computer' }).click();
  await page.getByRole('button', { name: 'Previews and editing' }).click();
  await page
    .getByRole('group', { name: 'Always preview' })
    .getByRole('checkbox', { name: 'Default' })
    .click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await coffer.collection('All objects').click();
  await app.drop([picture, icon, notes, archive, concert, damaged]);
  await coffer.startUpload(6);
  for (const name of ['harbour.png', 'icon.png', 'notes.md', 'site.zip', 'concert.wav', 'damaged.pdf'])
    await coffer.expectStored(name);

  // Only the service has it now: it is downloaded on request.
  rmSync(concert);
  await coffer.row('concert.wav').click();
  await page.keyboard.press('Space');
  const look = page.getByRole('dialog', { name: /^Quick look/ });
  await look.getByRole('button', { name: 'Show preview' }).click();
  await expect(look.locator('audio')).toBeVisible();
  // Space pauses a focused player, and closes Quick look otherwise.
  await look.locator('audio').focus();
  await page.keyboard.press('Space');
  await expect(look).toBeVisible();
  await playAlmostAll(page, 2200);
  await expect(coffer.objects).toBeFocused();

  // Never enlarged beyond its own size.
  await coffer.row('icon.png').click();
  await expectSize(page.getByRole('img', { name: 'Preview of icon.png' }), 24, 16);
  await page.keyboard.press('Space');
  await expectSize(look.locator('img'), 24, 16);
  await page.keyboard.press('Escape');

  await coffer.row('damaged.pdf').click();
  await expect(page.getByText('The first page can’t be shown')).toBeVisible();
  await expect(page.getByText('%PDF')).toBeHidden();

  await page.getByRole('button', { name: 'Show as a grid' }).click();
  await expect(coffer.row('harbour.png').locator('canvas')).toHaveAttribute('width', '320');
  await expect(coffer.row('notes.md')).toContainText('First draft');
  await expect(coffer.row('site.zip')).toContainText('8 B');
  // Details shows it without being asked.
  await coffer.row('harbour.png').click();
  await expect(page.getByRole('img', { name: 'Preview of harbour.png' })).toBeVisible();
  await coffer.row('site.zip').click();
  await expect(page.getByText('Only text, pictures, PDF, audio and video have a preview')).toBeVisible();

  // Thumbnails need neither their files nor the list of transfers any more.
  for (const file of [picture, notes]) rmSync(file);
  await page.getByRole('tab', { name: /^Transfers/ }).click();
  await page.getByRole('button', { name: 'Clear done' }).click();
  await app.restart();
  const again = new CofferWindow(app.page);
  await expect(again.row('harbour.png').locator('canvas')).toHaveAttribute('width', '320');
  await expect(again.row('notes.md')).toContainText('First draft');
});

async function expectSize(picture: Locator, width: number, height: number): Promise<void> {
  await expect.poll(() => picture.boundingBox()).toMatchObject({ width, height });
}

test('another view, or a wider window, keeps the place in the list @all', async ({ app }) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  const names = Array.from({ length: 300 }, (_, at) => `photo-${100 + at}.bin`);
  const files = writeFiles(join(app.folder, 'mine'), Object.fromEntries(names.map((name) => [name, 10])));
  await coffer.tryOnThisComputer();
  await app.drop(Object.values(files));
  await coffer.startUpload(300);
  await expect(coffer.objects).toHaveAttribute('aria-rowcount', '301');
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').first().click();

  async function changeAll(stays: () => Promise<void>) {
    await page.getByRole('button', { name: 'Show as a grid' }).click();
    await stays();
    for (const width of [1700, 1000, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await stays();
    }
    await page.getByRole('button', { name: 'Show as a list' }).click();
    await stays();
  }
  const scrollTo = (row: number) => coffer.objects.evaluate((grid, at) => grid.scrollTo(0, 32 * at), row);
  await expect(coffer.row('photo-100.bin')).toBeInViewport();
  await expect(coffer.objects).toHaveAttribute('aria-busy', 'false');
  await scrollTo(145);
  await coffer.row('photo-250.bin').click();
  await changeAll(() => expect(coffer.row('photo-250.bin')).toBeInViewport());
  // The focused row is out of sight now.
  await scrollTo(60);
  await expect(coffer.row('photo-160.bin')).toBeInViewport();
  await expect(coffer.row('photo-250.bin')).toBeHidden();
  await changeAll(() => expect(coffer.row('photo-165.bin')).toBeInViewport());
});

/** A tone of this many seconds: 8,000 samples per second, one byte each. */
function makeWav(seconds: number): Buffer {
  const second = Uint8Array.from({ length: 8000 }, (_, at) => 128 + 40 * Math.sin(at / 3));
  const samples = Buffer.alloc(8000 * seconds, second);
  const head = Buffer.from(
    'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\x01\0\x08\0data\0\0\0\0',
  );
  head.writeUInt32LE(36 + samples.length, 4);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}

/** One page with a line of text, in a font that is not in the file. */
function makePdf(text: string): string {
  const content = `BT /F1 48 Tf 72 700 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ].map((object, at) => `${at + 1} 0 obj${object}\nendobj\n`);
  return `%PDF-1.4\n${objects.join('')}trailer<</Root 1 0 R/Size 6>>\n`;
}

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright/test';
import { writeFiles } from '../files.ts';
import { expect, test } from '../fixtures.ts';
import { CofferWindow } from '../pages/coffer-window.ts';
import { drawPng } from '../pictures/png.ts';

test('Quick look plays a sound and shows a PDF, tiles show what is here without fetching it, and stay so', async ({
  app,
}) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  const folder = join(app.folder, 'mine');
  mkdirSync(folder);
  const put = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
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
  const tune = put('tune.wav', makeWav(3));
  const minutes = put('minutes.pdf', makePdf('Minutes'));
  // Too large for memory: played by ranges of the file.
  const concert = put('concert.wav', makeWav(2200));
  const damaged = put('damaged.pdf', '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n');
  await coffer.tryOnThisComputer();
  await app.drop([picture, icon, notes, archive, tune, concert, minutes, damaged]);
  await coffer.startUpload(8);
  for (const name of [
    'harbour.png',
    'icon.png',
    'notes.md',
    'site.zip',
    'tune.wav',
    'concert.wav',
    'minutes.pdf',
    'damaged.pdf',
  ])
    await coffer.expectStored(name);

  await coffer.row('tune.wav').click();
  await page.keyboard.press('Space');
  const look = page.getByRole('dialog', { name: /^Quick look/ });
  const player = look.locator('audio');
  await expect(player).toHaveJSProperty('duration', 3);
  await player.evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = 2;
  });
  await expect(player).toHaveJSProperty('currentTime', 2);
  await expect(player).toHaveJSProperty('seeking', false);
  await expect(look).toContainText('look on');
  // The player pauses with Space; from anywhere else it closes.
  await player.focus();
  await page.keyboard.press('Space');
  await expect(look).toBeVisible();
  await look.getByRole('button', { name: 'Close' }).last().click();
  await expect(look).toBeHidden();

  async function playConcert() {
    await expect(player).toHaveJSProperty('duration', 2200);
    await player.evaluate((audio: HTMLAudioElement) => {
      audio.currentTime = 2100;
    });
    await expect(player).toHaveJSProperty('currentTime', 2100);
    await expect(player).toHaveJSProperty('seeking', false);
    await look.getByRole('button', { name: 'Close' }).last().click();
    await expect(look).toBeHidden();
    await expect(coffer.objects).toBeFocused();
  }
  await coffer.row('concert.wav').click();
  await page.keyboard.press('Space');
  await playConcert();
  // It is only at the service now: fetched when a person asks.
  rmSync(concert);
  await page.keyboard.press('Space');
  await look.getByRole('button', { name: 'Show preview' }).click();
  await playConcert();

  // Its own size at most.
  await coffer.row('icon.png').click();
  await expectSize(page.getByRole('img', { name: 'Preview of icon.png' }), 24, 16);
  await page.keyboard.press('Space');
  await expectSize(look.locator('img'), 24, 16);
  await page.keyboard.press('Escape');

  await coffer.row('minutes.pdf').click();
  await expect(page.getByText('First page', { exact: true })).toBeVisible();
  await coffer.row('damaged.pdf').click();
  await expect(page.getByText('The first page can’t be shown')).toBeVisible();
  await expect(page.getByText('%PDF')).toBeHidden();

  await page.getByRole('button', { name: 'Show as a grid' }).click();
  await expect(coffer.row('harbour.png').locator('canvas')).toHaveAttribute('width', '320');
  await expect(coffer.row('notes.md')).toContainText('First draft');
  await expect(coffer.row('site.zip')).toContainText('8 B');
  // Details show it, too, and nobody had to ask.
  await coffer.row('harbour.png').click();
  await expect(page.getByRole('img', { name: 'Preview of harbour.png' })).toBeVisible();
  await coffer.row('site.zip').click();
  await expect(page.getByText('Only text, pictures, PDF, audio and video have a preview')).toBeVisible();

  // A file that was removed here shows an icon.
  rmSync(notes);
  await page.reload();
  await expect(coffer.row('harbour.png').locator('canvas')).toBeVisible();
  await expect(coffer.row('notes.md')).not.toContainText('First draft');
});

async function expectSize(picture: Locator, width: number, height: number): Promise<void> {
  await expect.poll(() => picture.boundingBox()).toMatchObject({ width, height });
}

test('long names leave the actions and the classification in sight in a small window', async ({ app }) => {
  const { page } = app;
  const coffer = new CofferWindow(page);
  const folder = 'handover of the northern site/minutes of all meetings of the second quarter of the year';
  await coffer.tryOnThisComputer();
  const files = writeFiles(join(app.folder, 'mine'), { a: 9, b: 9, c: 9, d: 9, e: 9, f: 9 });
  await app.drop([files['a'] ?? '']);
  const identifier = coffer.sheet.getByRole('textbox', { name: 'Identifier of a' });
  await identifier.fill(`${folder}/a`);
  await identifier.press('Enter');
  await coffer.startUpload(1);
  await page.getByRole('button', { name: 'Open handover' }).click();
  await coffer.collection('minutes').click();
  await page.setViewportSize({ width: 900, height: 600 });
  await expect(coffer.row('a')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Upload', exact: true })).toBeInViewport({ ratio: 1 });

  await app.drop(Object.values(files));
  await coffer.unfoldOptions();
  await coffer.chooseClassification('Internal');
  await coffer.sheet.getByRole('combobox', { name: 'If it exists' }).scrollIntoViewIfNeeded();
  const inSight = [
    coffer.sheet.getByRole('combobox', { name: 'Classification' }),
    coffer.sheet.getByRole('button', { name: 'Upload 6 objects' }),
  ];
  for (const each of inSight) await expect(each).toBeInViewport({ ratio: 1 });
  await coffer.sheet.getByRole('textbox', { name: 'Identifier of a' }).scrollIntoViewIfNeeded();
  for (const each of inSight) await expect(each).toBeInViewport({ ratio: 1 });
});

test('another view, or a wider window, leaves a person where they are in the list @all', async ({ app }) => {
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

/** A tone of this many seconds: 8,000 samples a second, of one byte. */
function makeWav(seconds: number): Buffer {
  const samples = Buffer.from(Array.from({ length: 8000 * seconds }, (_, at) => 128 + 40 * Math.sin(at / 3)));
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

/*
 * npm run icons: renders icon.svg in all sizes that packages need, with the tests' Chromium. The results are in the
 * repository, so that packaging needs no browser.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright';
import { findChromium } from '../chromium-shell/chromium.ts';
import { encodeIcns, encodeIco, icnsSizes, icoSizes, type Picture } from './icon-files.ts';

const folder = import.meta.dirname;
/** The freedesktop sizes. */
const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512];
/** View box without the margin, which only macOS needs. */
const close = '84 84 856 856';

const svg = readFileSync(join(folder, 'icon.svg'), 'utf8');
const withBox = (viewBox: string) => svg.replace(/viewBox="[^"]+"/, `viewBox="${viewBox}"`);

async function draw(page: Page, sizePixels: number, viewBox?: string): Promise<Picture> {
  const drawing = viewBox ? withBox(viewBox) : svg;
  const drawn = await page.evaluate(
    async ({ source, size }) => {
      const image = new Image(size, size);
      image.src = `data:image/svg+xml,${encodeURIComponent(source)}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = size;
      canvas.height = size;
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0, size, size);
      const { data } = context?.getImageData(0, 0, size, size) ?? {};
      const png = canvas.toDataURL('image/png').split(',')[1] ?? '';
      return { png, rgba: size < 256 ? [...(data ?? [])] : [] };
    },
    { source: drawing, size: sizePixels },
  );
  return { sizePixels, png: Buffer.from(drawn.png, 'base64'), rgba: Buffer.from(drawn.rgba) };
}

const browser = await chromium.launch({
  executablePath: findChromium(process.env),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const page = await browser.newPage();
  const drawAll = async (sizes: readonly number[], viewBox?: string) => {
    const pictures: Picture[] = [];
    for (const size of sizes) pictures.push(await draw(page, size, viewBox));
    return pictures;
  };
  mkdirSync(join(folder, 'icons'), { recursive: true });
  for (const { sizePixels, png } of await drawAll(linuxSizes, close)) {
    writeFileSync(join(folder, 'icons', `${sizePixels}x${sizePixels}.png`), png);
  }
  const scalable = join(folder, 'linux/usr/share/icons/hicolor/scalable/apps/coffer-desktop.svg');
  // The comment is about the margin.
  writeFileSync(scalable, withBox(close).replace(/<!--.*?-->\n/s, ''));
  writeFileSync(join(folder, 'icon.ico'), encodeIco(await drawAll(icoSizes, close)));
  writeFileSync(join(folder, 'icon.icns'), encodeIcns(await drawAll(icnsSizes)));
} finally {
  await browser.close();
}

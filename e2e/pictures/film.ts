import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright/test';
import { bytesPerPixel, chunk, headerOf, pack, readPng, signature, type Pixels } from './png.ts';

interface Frame {
  readonly pixels: Pixels;
  shownMs: number;
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A colour that the window never shows. */
const transparent = Buffer.from([255, 0, 254]);

/** Records the window as an animated PNG, which every browser plays. */
export class Film {
  readonly #page: Page;
  readonly #frames: Frame[] = [];

  constructor(page: Page) {
    this.#page = page;
  }

  /** Adds a frame of the window that is shown for `shownMs`. */
  async hold(shownMs: number): Promise<void> {
    const png = await this.#page.screenshot({ animations: 'disabled', caret: 'hide' });
    const pixels = readPng(png);
    const last = this.#frames.at(-1);
    if (last?.pixels.bytes.equals(pixels.bytes) === true) last.shownMs += shownMs;
    else this.#frames.push({ pixels, shownMs });
  }

  /** Adds a frame every `everyMs`, or as often as the computer can, until `over` settles. Returns how many differ. */
  async follow(over: Promise<unknown>, everyMs: number, shownMs: number): Promise<number> {
    const before = this.#frames.length;
    let isOver = false;
    const ended = over.finally(() => (isOver = true));
    while (!isOver) await Promise.all([this.hold(shownMs), setTimeout(everyMs)]);
    await ended;
    return this.#frames.length - before;
  }

  /** Encodes each frame as its difference to the previous one. */
  encode(): Uint8Array<ArrayBuffer> {
    const [first] = this.#frames;
    if (first === undefined) throw new Error('Nothing was filmed');
    const parts = [
      signature,
      chunk('IHDR', headerOf(first.pixels)),
      chunk('tRNS', Buffer.from([...transparent].flatMap((value) => [0, value]))),
      this.#animation(),
    ];
    let order = 0;
    this.#frames.forEach(({ pixels, shownMs }, at) => {
      const before = this.#frames[at - 1]?.pixels;
      const area = before
        ? changeBetween(before, pixels)
        : { x: 0, y: 0, width: pixels.width, height: pixels.height };
      parts.push(control((order += 1) - 1, area, shownMs));
      const data = pack(cut(pixels, area, before));
      // The first frame is also the still image for viewers without animation.
      if (before === undefined) parts.push(chunk('IDAT', data));
      else parts.push(chunk('fdAT', Buffer.concat([number32((order += 1) - 1), data])));
    });
    return Buffer.concat([...parts, chunk('IEND', Buffer.alloc(0))]);
  }

  #animation(): Buffer {
    return chunk('acTL', Buffer.concat([number32(this.#frames.length), number32(0)]));
  }
}

function control(order: number, { width, height, x, y }: Rectangle, shownMs: number): Buffer {
  const delay = Buffer.alloc(4);
  delay.writeUInt16BE(shownMs, 0);
  delay.writeUInt16BE(1000, 2);
  // Keep the frame and draw the next one over it, except for its transparent pixels.
  const disposal = Buffer.from([0, 1]);
  return chunk('fcTL', Buffer.concat([...[order, width, height, x, y].map(number32), delay, disposal]));
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function changeBetween(before: Pixels, after: Pixels): Rectangle {
  const { width, height } = after;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * bytesPerPixel;
      if (before.bytes.compare(after.bytes, at, at + bytesPerPixel, at, at + bytesPerPixel) === 0) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    }
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Unchanged pixels are transparent, which packs to almost nothing. */
function cut({ width, bytes }: Pixels, area: Rectangle, before: Pixels | undefined): Pixels {
  const rows = Array.from({ length: area.height }, (_, row) => {
    const from = ((area.y + row) * width + area.x) * bytesPerPixel;
    const cells = Buffer.from(bytes.subarray(from, from + area.width * bytesPerPixel));
    for (let x = 0; x < cells.length; x += bytesPerPixel) {
      const pixel = cells.subarray(x, x + bytesPerPixel);
      if (pixel.equals(transparent))
        throw new Error('The window shows the colour that stands for transparent');
      const at = from + x;
      if (before?.bytes.compare(pixel, 0, bytesPerPixel, at, at + bytesPerPixel) === 0)
        pixel.set(transparent);
    }
    return cells;
  });
  return { width: area.width, height: area.height, bytes: Buffer.concat(rows) };
}

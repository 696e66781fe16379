import { crc32, deflateSync, inflateSync } from 'node:zlib';

export type Color = readonly [red: number, green: number, blue: number];

/** Rows from the top, three bytes a pixel. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

export const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
export const bytesPerPixel = 3;

/** A PNG of 8 bits per channel; `colorAt` returns 0 to 255. */
export function drawPng(
  width: number,
  height: number,
  colorAt: (x: number, y: number) => Color,
): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(width * height * bytesPerPixel);
  for (let at = 0; at < width * height; at += 1) {
    bytes.set(colorAt(at % width, Math.floor(at / width)), at * bytesPerPixel);
  }
  return encode({ width, height, bytes });
}

/** Encodes the same picture in fewer bytes. */
export function shrinkPng(png: Buffer): Uint8Array<ArrayBuffer> {
  return encode(readPng(png));
}

/** Decodes Chromium's PNGs: RGB, 8 bits, not interlaced. */
export function readPng(png: Buffer): Pixels {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const data: Buffer[] = [];
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const body = png.subarray(at + 8, at + 8 + png.readUInt32BE(at));
    if (png.toString('ascii', at + 4, at + 8) === 'IDAT') data.push(body);
  }
  return {
    width,
    height,
    bytes: withoutFilters(inflateSync(Buffer.concat(data)), width * bytesPerPixel, height),
  };
}

function withoutFilters(filtered: Buffer, rowBytes: number, height: number): Buffer {
  const pixels = Buffer.alloc(rowBytes * height);
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (rowBytes + 1)] ?? 0;
    for (let x = 0; x < rowBytes; x += 1) {
      const at = y * rowBytes + x;
      const left = x < bytesPerPixel ? 0 : (pixels[at - bytesPerPixel] ?? 0);
      const above = y === 0 ? 0 : (pixels[at - rowBytes] ?? 0);
      const corner = x < bytesPerPixel || y === 0 ? 0 : (pixels[at - rowBytes - bytesPerPixel] ?? 0);
      const guess = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter] ?? 0;
      pixels[at] = (filtered[y * (rowBytes + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return pixels;
}

/** Paeth's predictor. */
function nearest(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [
    Math.abs(above - corner),
    Math.abs(left - corner),
    Math.abs(left + above - 2 * corner),
  ];
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}

function encode(pixels: Pixels): Uint8Array<ArrayBuffer> {
  return Buffer.concat([
    signature,
    chunk('IHDR', headerOf(pixels)),
    chunk('IDAT', pack(pixels)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export function headerOf({ width, height }: Pixels): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // 8 bits, RGB
  return header;
}

/** Encodes without filters, which is smallest for flat areas and text; a browser's fast encoder does not try that. */
export function pack({ width, height, bytes }: Pixels): Buffer {
  const rowBytes = width * bytesPerPixel;
  const rows = Array.from({ length: height }, (_, y) => [
    Buffer.from([0]),
    bytes.subarray(y * rowBytes, (y + 1) * rowBytes),
  ]).flat();
  return deflateSync(Buffer.concat(rows), { level: 9 });
}

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A square image: PNG and, below 256 pixels, RGBA pixels from the top. */
export type Picture = { sizePixels: number; png: Buffer; rgba: Buffer };

/** The sizes that Windows shows; below 256 pixels as bitmaps, which all readers support. */
export const icoSizes = [16, 24, 32, 48, 64, 128, 256];

/** Encodes a Windows .ico file. */
export function encodeIco(pictures: readonly Picture[]): Buffer {
  const headBytes = 6 + 16 * pictures.length;
  const bodies = pictures.map((picture) => (picture.sizePixels < 256 ? encodeBitmap(picture) : picture.png));
  const head = Buffer.alloc(headBytes);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let offset = headBytes;
  for (const [at, { sizePixels }] of pictures.entries()) {
    const lengthBytes = bodies[at]?.length ?? 0;
    const entry = 6 + 16 * at;
    head.writeUInt8(sizePixels % 256, entry); // 0 means 256
    head.writeUInt8(sizePixels % 256, entry + 1);
    head.writeUInt16LE(1, entry + 4); // planes
    head.writeUInt16LE(32, entry + 6); // bits per pixel
    head.writeUInt32LE(lengthBytes, entry + 8);
    head.writeUInt32LE(offset, entry + 12);
    offset += lengthBytes;
  }
  return Buffer.concat([head, ...bodies]);
}

/** BITMAPINFOHEADER of twice the height, BGRA pixels from the bottom, and an empty mask. */
function encodeBitmap({ sizePixels, rgba }: Picture): Buffer {
  const head = Buffer.alloc(40);
  head.writeUInt32LE(head.length, 0);
  head.writeInt32LE(sizePixels, 4);
  head.writeInt32LE(2 * sizePixels, 8);
  head.writeUInt16LE(1, 12);
  head.writeUInt16LE(32, 14);
  head.writeUInt32LE(rgba.length, 20);
  const rowBytes = 4 * sizePixels;
  const rows = Array.from({ length: sizePixels }, (_, row) =>
    rgba.subarray((sizePixels - 1 - row) * rowBytes, (sizePixels - row) * rowBytes),
  );
  const pixels = Buffer.concat(rows);
  for (let at = 0; at < pixels.length; at += 4) {
    const red = pixels.readUInt8(at);
    pixels.writeUInt8(pixels.readUInt8(at + 2), at);
    pixels.writeUInt8(red, at + 2);
  }
  const maskRowBytes = 4 * Math.ceil(sizePixels / 32);
  return Buffer.concat([head, pixels, Buffer.alloc(maskRowBytes * sizePixels)]);
}

/**
 * The macOS icon types that support PNG, with their pixels. The types for 16 and 32 points on old screens do not, and
 * are omitted: the system scales the next one.
 */
const icnsKinds = [
  ['ic11', 32], ['ic12', 64], ['ic07', 128], ['ic13', 256], ['ic08', 256], ['ic14', 512], ['ic09', 512], ['ic10', 1024],
] as const; // oxfmt-ignore

export const icnsSizes = [...new Set(icnsKinds.map(([, sizePixels]) => sizePixels))];

/** Encodes a macOS .icns file. */
export function encodeIcns(pictures: readonly Picture[]): Buffer {
  const block = (kind: string, body: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(kind, 'ascii');
    head.writeUInt32BE(head.length + body.length, 4);
    return Buffer.concat([head, body]);
  };
  const bodies = icnsKinds.map(([kind, sizePixels]) => {
    const picture = pictures.find((each) => each.sizePixels === sizePixels);
    if (!picture) throw new Error(`no picture of ${sizePixels} pixels`);
    return block(kind, picture.png);
  });
  return block('icns', Buffer.concat(bodies));
}

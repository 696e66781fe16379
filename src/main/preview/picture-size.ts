import { avifPixels } from './avif-size.ts';

/** What Chromium will decode, as the picture's own header says. */
export interface PictureSize {
  readonly pixels: number;
  /**
   * Whether decoding needs about twice the memory of the pixels: an animation (the frame before is kept), a JPEG in several scans (its
   * coefficients are kept), an AVIF (its planes are kept).
   */
  readonly isDouble: boolean;
}

/**
 * The size of a picture, as Chromium's decoders find it: where a file can give several, the largest. Never decodes, and reads each byte at most once.
 * Not by a library: image-size, the common one, went into endless loops on hostile files (CVE-2025-71319, CVE-2025-71329), and takes the first
 * size that a header names, where GIF and AVIF decoders obey later ones.
 * @returns null: no header that can be read
 */
export function pictureSizeOf(bytes: Uint8Array, mediaType: string): PictureSize | null {
  const read = readers[mediaType];
  if (read === undefined) return null;
  try {
    const size = read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return size !== null && size.pixels > 0 ? size : null;
  } catch (cause) {
    if (cause instanceof RangeError) return null; // it ends before its header does
    throw cause;
  }
}

const readers: Record<string, (bytes: Buffer) => PictureSize | null> = {
  'image/png': pngSize,
  'image/jpeg': jpegSize,
  'image/gif': gifSize,
  'image/webp': webpSize,
  'image/bmp': bmpSize,
  'image/avif': (bytes) => ({ pixels: avifPixels(bytes), isDouble: true }),
};

/** PNG specification, 11.2.1 and 5.3. */
function pngSize(bytes: Buffer): PictureSize | null {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  let isDouble = false;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') isDouble = true;
    if (type === 'IDAT') break;
  }
  return { pixels: bytes.readUInt32BE(16) * bytes.readUInt32BE(20), isDouble };
}

/** ITU T.81, B.1.1. Like libjpeg, skips anything between segments. */
function jpegSize(bytes: Buffer): PictureSize | null {
  let frame: { pixels: number; components: number; isProgressive: boolean } | null = null;
  let at = 2;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at < 0) return null;
    while (bytes[at] === 0xff) at += 1;
    const marker = bytes.readUInt8(at);
    at += 1;
    // A stuffed zero, TEM and RST have no length.
    if (marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd7)) continue;
    // A second start or the end, before any pixels.
    if (marker === 0xd8 || marker === 0xd9) return null;
    if (marker === 0xda) {
      if (frame === null) return null;
      const { pixels, components, isProgressive } = frame;
      return { pixels, isDouble: isProgressive || bytes.readUInt8(at + 2) < components };
    }
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      if (frame !== null) return null;
      frame = {
        pixels: bytes.readUInt16BE(at + 3) * bytes.readUInt16BE(at + 5),
        components: bytes.readUInt8(at + 7),
        isProgressive: marker !== 0xc0 && marker !== 0xc1 && marker !== 0xc9,
      };
    }
    const lengthBytes = bytes.readUInt16BE(at);
    if (lengthBytes < 2) return null;
    at += lengthBytes;
  }
}

/** GIF89a, sections 18 to 26. A frame may be larger than the screen that the header names: Chromium enlarges it. */
function gifSize(bytes: Buffer): PictureSize {
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  let at = 13 + tableBytes(bytes.readUInt8(10));
  // A file that ends here is shown as far as it goes.
  while (at + 10 <= bytes.length) {
    if (bytes[at] === 0x2c) {
      width = Math.max(width, bytes.readUInt16LE(at + 1) + bytes.readUInt16LE(at + 5));
      height = Math.max(height, bytes.readUInt16LE(at + 3) + bytes.readUInt16LE(at + 7));
      at += 11 + tableBytes(bytes.readUInt8(at + 9));
    } else if (bytes[at] === 0x21) at += 2;
    else break;
    // Blocks of data, up to an empty one.
    while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes.readUInt8(at);
    at += 1;
  }
  return { pixels: width * height, isDouble: true };
}

/** RFC 9649, sections 2.5 to 2.7. */
function webpSize(bytes: Buffer): PictureSize | null {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      if (bytes.toString('latin1', 23, 26) !== '\x9d\x01\x2a') return null;
      return {
        pixels: (bytes.readUInt16LE(26) & 0x3fff) * (bytes.readUInt16LE(28) & 0x3fff),
        isDouble: false,
      };
    case 'VP8L': {
      if (bytes.readUInt8(20) !== 0x2f) return null;
      const bits = bytes.readUInt32LE(21);
      return { pixels: ((bits & 0x3fff) + 1) * (((bits >>> 14) & 0x3fff) + 1), isDouble: false };
    }
    case 'VP8X':
      return {
        pixels: (bytes.readUIntLE(24, 3) + 1) * (bytes.readUIntLE(27, 3) + 1),
        isDouble: (bytes.readUInt8(20) & 0x02) !== 0,
      };
    default:
      return null;
  }
}

/** BITMAPCOREHEADER, and all whose beginning is that of BITMAPINFOHEADER. */
function bmpSize(bytes: Buffer): PictureSize | null {
  const headerBytes = bytes.readUInt32LE(14);
  if (headerBytes === 12) return { pixels: bytes.readUInt16LE(18) * bytes.readUInt16LE(20), isDouble: false };
  if (headerBytes < 16) return null;
  // A JPEG or PNG inside would have a size of its own.
  const compression = headerBytes >= 20 ? bytes.readUInt32LE(30) : 0;
  if (compression === 4 || compression === 5) return null;
  // Rows from the top have a negative height.
  return { pixels: bytes.readInt32LE(18) * Math.abs(bytes.readInt32LE(22)), isDouble: false };
}

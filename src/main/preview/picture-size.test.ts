import { describe, expect, it } from 'vitest';
import { blackPng, lyingAvif, smallAvif } from '../../../test-support/preview-bombs.ts';
import { signedType } from './content.ts';
import { pictureSizeOf } from './picture-size.ts';

const sizeOf = (bytes: Uint8Array) => pictureSizeOf(bytes, signedType(bytes)?.mediaType ?? '');
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

const jpegStart = 'ffd8 ffe0 0004 0000';
const scanOf = (components: number) => `ffda 0008 0${components} 010002`;
/** 20,000 × 16,000 pixels in three components. */
const jpegFrame = (kind: string) => `ff${kind} 0011 08 3e80 4e20 03 012200 021101 031101`;

const gif = (...frames: Buffer[]) =>
  Buffer.concat([Buffer.from('GIF89a\x02\0\x03\0\0\0\0', 'latin1'), ...frames]);
/** A frame with this place and size. */
function gifFrame(...figures: [left: number, top: number, width: number, height: number]): Buffer {
  const frame = Buffer.alloc(14);
  frame[0] = 0x2c;
  figures.forEach((figure, at) => frame.writeUInt16LE(figure, 1 + 2 * at));
  frame.set([2, 1, 0, 0], 10);
  return frame;
}

/** Inserts an animation's chunk before the pixels. */
function animated(png: Buffer): Buffer {
  return Buffer.concat([
    png.subarray(0, 33),
    hex('00000008 6163544c 00000002 00000000 00000000'),
    png.subarray(33),
  ]);
}

const bmp = (header: string) =>
  Buffer.concat([Buffer.from('BM\x01\x02\0\0\0\0\0\0\x36\0\0\0', 'latin1'), hex(header)]);
const webp = (chunk: string, content: string) =>
  Buffer.concat([Buffer.from(`RIFF\x40\0\0\0WEBP${chunk}\x20\0\0\0`, 'latin1'), hex(content)]);

describe('the size of a picture', () => {
  it.each<[string, Buffer, pixels: number, isDouble: boolean]>([
    ['PNG', blackPng(640, 400), 256_000, false],
    ['animated PNG', animated(blackPng(640, 400)), 256_000, true],
    ['JPEG', hex(`${jpegStart} ${jpegFrame('c0')} ${scanOf(3)}`), 320_000_000, false],
    [
      'JPEG after bytes of no segment',
      hex(`${jpegStart} 00ff00ffd0 ff${jpegFrame('c1')} ${scanOf(3)}`),
      320_000_000,
      false,
    ],
    ['progressive JPEG', hex(`${jpegStart} ${jpegFrame('c2')} ${scanOf(3)}`), 320_000_000, true],
    [
      'JPEG in a scan for each component',
      hex(`${jpegStart} ${jpegFrame('c0')} ${scanOf(1)}`),
      320_000_000,
      true,
    ],
    ['GIF', gif(gifFrame(0, 0, 2, 3)), 6, true],
    [
      'GIF with a frame beyond its screen',
      gif(gifFrame(0, 0, 1, 1), gifFrame(1000, 0, 64_000, 65_000)),
      65_000 * 65_000,
      true,
    ],
    ['GIF that ends after its header', gif(), 6, true],
    ['WebP', webp('VP8 ', '000000 9d012a ff3f ff3f'), 16_383 ** 2, false],
    ['lossless WebP', webp('VP8L', '2f ffffff0f'), 16_384 ** 2, false],
    ['extended WebP', webp('VP8X', '00000000 ff3f00 ff1f00'), 16_384 * 8192, false],
    ['animated WebP', webp('VP8X', '02000000 ff3f00 ff1f00'), 16_384 * 8192, true],
    ['BMP, its rows from the top', bmp('28000000 00710200 ffffffff 0100 0800 01000000'), 160_000, false],
    ['BMP of OS/2', bmp('0c000000 2003 5802 0100 1800'), 480_000, false],
    ['AVIF', smallAvif, 60_000, true],
    ['AVIF whose boxes say less than its stream', lyingAvif, 16_384 ** 2, true],
  ])('%s', (_, bytes, pixels, isDouble) => {
    expect(sizeOf(bytes)).toEqual({ pixels, isDouble });
  });

  it.each<[string, Buffer]>([
    ['PNG without a header', hex('89504e470d0a1a0a 00000000 49444154 00000000')],
    ['PNG without rows', blackPng(640, 0)],
    ['JPEG without a frame', hex(`${jpegStart} ${scanOf(3)}`)],
    ['JPEG with two frames', hex(`${jpegStart} ${jpegFrame('c0')} ${jpegFrame('c0')} ${scanOf(3)}`)],
    ['JPEG that starts again', hex(`${jpegStart} ffd8 ${jpegFrame('c0')} ${scanOf(3)}`)],
    ['WebP of no known kind', webp('JUNK', '00')],
    ['BMP with a PNG inside', bmp('28000000 01000000 01000000 0100 0000 05000000')],
    ['AVIF of one box', smallAvif.subarray(0, 28)],
  ])('%s: none', (_, bytes) => {
    expect(sizeOf(bytes)).toBeNull();
  });

  it('AVIF: the larger of what its boxes and its stream say counts', () => {
    const said = Buffer.from(smallAvif);
    said.writeUInt32BE(40_000, smallAvif.indexOf('ispe') + 8);
    expect(sizeOf(said)?.pixels).toBe(40_000 * 200);
  });

  it('AVIF: a stream whose frames may name a size of their own counts by the largest they can name', () => {
    const header = smallAvif.indexOf(hex('1200 0a09')) + 4;
    const moving = Buffer.from(smallAvif);
    // No still picture; ten bits for the width, eight for the height.
    moving.set(hex('000000 04b8 00000000'), header);
    expect(sizeOf(moving)?.pixels).toBe(2 ** 18);
    // Timing information.
    moving[header] = 0x04;
    expect(sizeOf(moving)).toBeNull();
  });

  it('AVIF: an animation counts by its samples', () => {
    expect(sizeOf(animation(lyingAvif))).toEqual({ pixels: 16_384 ** 2, isDouble: true });
    expect(sizeOf(animation(smallAvif))).toEqual({ pixels: 60_000, isDouble: true });
  });

  it('no cut and no changed byte is an error', () => {
    for (const whole of [
      smallAvif,
      lyingAvif.subarray(0, 300),
      blackPng(9, 9),
      gif(gifFrame(0, 0, 1, 1)),
      animation(smallAvif),
    ]) {
      for (let at = 12; at < Math.min(whole.length, 600); at += 1) {
        expect(() => sizeOf(whole.subarray(0, at))).not.toThrow();
        for (const value of [0, 1, 0x7f, 0xff]) {
          const changed = Buffer.from(whole);
          changed[at] = value;
          expect(() => sizeOf(changed)).not.toThrow();
        }
      }
    }
  });

  it('AVIF: many items that share their bytes are read no more than twice', () => {
    const mebibyte = Buffer.alloc(1024 * 1024);
    const entry = hex('0001 0000 0001 00000000 00100000');
    const location = Buffer.concat([
      hex('00000000 4400 2710'),
      ...Array.from({ length: 10_000 }, () => entry),
    ]);
    const types = box(
      'iinf',
      hex('00000000 0001'),
      box('infe', hex('02000000 0001 0000'), Buffer.from('av01'), hex('00')),
    );
    const file = Buffer.concat([
      smallAvif.subarray(0, 28),
      box('meta', hex('00000000'), types, box('iloc', location)),
      mebibyte,
    ]);
    expect(sizeOf(file)).toBeNull();
  });
});

function box(type: string, ...contents: Buffer[]): Buffer {
  const head = Buffer.alloc(8);
  const content = Buffer.concat(contents);
  head.writeUInt32BE(8 + content.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** The stream of an AVIF picture as the only sample of an animation, without a picture beside it. */
function animation(picture: Buffer): Buffer {
  const stream = picture.subarray(picture.indexOf('mdat') + 4);
  const figures = (...values: number[]) => {
    const bytes = Buffer.alloc(4 * values.length);
    values.forEach((value, at) => bytes.writeUInt32BE(value, 4 * at));
    return bytes;
  };
  const type = Buffer.concat([picture.subarray(0, 8), Buffer.from('avis'), picture.subarray(12, 28)]);
  const table = [
    box('stsz', figures(0, 0, 1, stream.length)),
    box('stsc', figures(0, 1, 1, 1, 1)),
    box('stco', figures(0, 1, 36)),
  ];
  const tables = box('moov', box('trak', box('mdia', box('minf', box('stbl', ...table)))));
  return Buffer.concat([type, box('mdat', stream), tables]);
}

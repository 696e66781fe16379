import { brotliDecompressSync, constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';

/** Files of a few kilobytes, of which a program that decodes them makes up to gigabytes. */

/** An AVIF of 300 × 200 pixels, by libheif. */
export const smallAvif = Buffer.from(
  [
    'AAAAHGZ0eXBhdmlmAAAAAG1pZjFhdmlmbWlhZgAAANZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAACJpbG9jAA',
    'AAAERAAAEAAQAAAAAA+gABAAAAAAAAADEAAAAjaWluZgAAAAAAAQAAABVpbmZlAgAAAAABAABhdjAxAAAAAA5waXRtAAAAAAABAAAAVmlwcnAA',
    'AAA4aXBjbwAAAAxhdjFDgSACAAAAABRpc3BlAAAAAAAAASwAAADIAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAgMAAAA5bW',
    'RhdBIACgk4IeV47SAhoNIyIhJQmMEwAA0AAQCXytg49HZqPcYvi40391dP7/cjxxJiRwM=',
  ].join(''),
  'base64',
);

/** An AVIF of 16,384 × 16,384 black pixels, whose boxes say 100 × 100. Chromium takes 0.5 GB to show it. */
export const lyingAvif = brotliDecompressSync(
  Buffer.from(
    [
      'G7UNIGYQD80goAPJG1M39X9XFmC2RVIcY1p5lweCAVKUoOUBSLZNWlQETeKnq6Ex6BIAgNzRL9jLJgByBAAAd8iRxxZ3yKYrPXi6kYFsoXG2d/',
      'MBwQ9D7YCGFnLztAOrvDSAYQjyX1UZoI8pdBDk4ZiCgZig3TvA8mYTwM2jB6YX5Oc+S2UIefl4gUg4RDvPE7pNAI9cNBW67/iQr5cDem5fRNgL',
      'SEFQBYccAESEKXc/grOr7wIXDQsHAPqcu72NHy5ARaP6Hvn//98aWFIMZN4WEmK4v9fXCoH////o/UANXDZXWL+TBJ8b0NJ8KYIbPlYJWyUitv',
      '6ofDhVHI2zg+scGlM8Shd7YqD1vNfbveSpir5ZzyeXggnW3hTi+9CTecpJmSJxp8NVH+c+oJKrHU7eq+eED9jZXyJMRxK1FldX6eqOOhahqU9J',
      'b+RGOcO93cb1yZdpP5ySDuMNgZjntNw46u9vKTYlM+5NAqTN3GeT8UMuF+7J3yKUOVGg5xMA/c1h6dP8cMX3q8y69dqpyFDERNq5CBvnLDYVfX',
      'pSWHNG4uSPbRpjlUW09zVP3yfqp4RBv8AAzY9S0yf/B/f3GQo9GSO8vL8vukaHgwomcHCzSzhmbTOmEMwDeEn3BjExPlefoIxoT6TIzZdWfH63',
      'RfnXqblobrA2OFzgzzcW5I8Wgd1fOv5VprZ01Vc8/eK4+sQrmbZjJwJbZb25woK7XIomimy2bY8r983ncKrOBh5hdz+fUvyX3mLFv+7Wt9W9/f',
      'pGtINZ6pV9X+QPe17El81kloOrGn77DozmYJzmxX9tniQ97TmmCFVnamom4oz3C16q/08TZW5B6cT3AeRR7G7cmwA=',
    ].join(''),
    'base64',
  ),
);

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** A black PNG, one bit a pixel: 31 KB for 16,000 × 16,000 pixels. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A PDF of a few kilobytes, whose page's content is 800 MB of spaces, compressed twice. */
export function heavyPdf(): Buffer {
  const megabyte = deflateRawSync(Buffer.alloc(1e6, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const once = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: 800 }, () => megabyte),
    Buffer.from([3, 0]),
  ]);
  const twice = deflateSync(once, { level: 9 });
  return Buffer.concat([
    Buffer.from(`%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<>>/Contents 4 0 R>>endobj
4 0 obj<</Filter[/FlateDecode/FlateDecode]/Length ${String(twice.length)}>>stream
`),
    twice,
    Buffer.from('\nendstream\nendobj\ntrailer<</Root 1 0 R/Size 5>>\n'),
  ]);
}

import { av1Pixels } from './av1-size.ts';

/** A range of the file. */
type Range = { readonly start: number; readonly end: number };

/**
 * The pixels of an AVIF picture or animation. Its boxes name a size, but its decoder obeys the AV1 streams inside: 3.5 KB that say
 * 100 × 100 pixels can be 16,384 × 16,384. So both are read, and the larger counts.
 * @throws RangeError when it can't be told
 */
export function avifPixels(bytes: Buffer): number {
  const file = { start: 0, end: bytes.length };
  let leftBytes = 2 * bytes.length;
  /** Many items could name the same bytes. */
  const piece = ({ start, end }: Range): Buffer => {
    leftBytes -= end - start;
    if (end > bytes.length || leftBytes < 0) throw new RangeError('more data than there is');
    return bytes.subarray(start, end);
  };
  const metas = boxesAt(bytes, file, 'meta').map(({ start, end }) => ({ start: start + 4, end }));
  const tracks = boxesAt(bytes, file, 'moov', 'trak');
  let most = 0;
  for (const { start } of metas.flatMap((meta) => boxesAt(bytes, meta, 'iprp', 'ipco', 'ispe')))
    most = Math.max(most, bytes.readUInt32BE(start + 4) * bytes.readUInt32BE(start + 8));
  for (const meta of metas) {
    // Tiles, transparency and the picture itself are decoded together.
    let pixels = 0;
    for (const { type, extents } of itemsIn(bytes, meta)) {
      const isCoded = type === 'av01' || type === 'grid';
      pixels += isCoded ? itemPixels(type, Buffer.concat(extents.map(piece))) : 0;
    }
    most = Math.max(most, pixels);
  }
  for (const track of tracks)
    for (const sample of samplesIn(bytes, track)) most = Math.max(most, av1Pixels(piece(sample)));
  return most;
}

function itemPixels(type: 'av01' | 'grid', data: Buffer): number {
  if (type === 'av01') return av1Pixels(data);
  // ISO/IEC 23008-12, 6.6.2.3: the size of the whole, in two or four bytes each.
  return data.readUInt8(1) & 1
    ? data.readUInt32BE(4) * data.readUInt32BE(8)
    : data.readUInt16BE(4) * data.readUInt16BE(6);
}

/** Reads big-endian integers one after the other, of 0, 1, 2, 3, 4 or 8 bytes. */
function reader(bytes: Buffer, { start, end }: Range): (sizeBytes: number) => number {
  let at = start;
  return (sizeBytes) => {
    at += sizeBytes;
    if (at > end) throw new RangeError('a box ends too early');
    if (sizeBytes === 8) return Number(bytes.readBigUInt64BE(at - 8));
    return sizeBytes === 0 ? 0 : bytes.readUIntBE(at - sizeBytes, sizeBytes);
  };
}

/** The contents of the boxes at a path, such as `moov`, `trak` (ISO/IEC 14496-12, 4.2). */
function boxesAt(bytes: Buffer, parent: Range, ...path: string[]): Range[] {
  const [type, ...rest] = path;
  if (type === undefined) return [parent];
  const found: Range[] = [];
  for (let at = parent.start; at + 8 <= parent.end;) {
    const size = bytes.readUInt32BE(at);
    const start = at + (size === 1 ? 16 : 8);
    const end = size === 0 ? parent.end : at + (size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size);
    if (end < start || end > parent.end) throw new RangeError('a box ends too late');
    if (bytes.toString('latin1', at + 4, at + 8) === type)
      found.push(...boxesAt(bytes, { start, end }, ...rest));
    at = end;
  }
  return found;
}

/** The items of a file, and where their bytes are (8.11.3 and 8.11.6). */
function* itemsIn(bytes: Buffer, meta: Range): Generator<{ type: string | undefined; extents: Range[] }> {
  const types = new Map<number, string>();
  for (const info of boxesAt(bytes, meta, 'iinf')) {
    const countBytes = bytes.readUInt8(info.start) === 0 ? 2 : 4;
    for (const { start } of boxesAt(bytes, { start: info.start + 4 + countBytes, end: info.end }, 'infe')) {
      const idBytes = bytes.readUInt8(start) === 2 ? 2 : 4;
      const type = start + 4 + idBytes + 2;
      types.set(bytes.readUIntBE(start + 4, idBytes), bytes.toString('latin1', type, type + 4));
    }
  }
  const inside = boxesAt(bytes, meta, 'idat')[0]?.start ?? 0;
  for (const location of boxesAt(bytes, meta, 'iloc')) {
    const read = reader(bytes, location);
    const version = read(1);
    read(3);
    const [sizes, baseSizes] = [read(1), read(1)];
    for (let left = read(version < 2 ? 2 : 4); left > 0; left -= 1) {
      const type = types.get(read(version < 2 ? 2 : 4));
      const method = version === 0 ? 0 : read(2) & 0x0f;
      read(2); // the data is in this file
      const base = read(baseSizes >> 4) + (method === 1 ? inside : 0);
      const extents: Range[] = [];
      for (let count = read(2); count > 0; count -= 1) {
        if (version > 0) read(baseSizes & 0x0f);
        const start = base + read(sizes >> 4);
        extents.push({ start, end: start + read(sizes & 0x0f) });
      }
      // Made of other items.
      if (method > 1) throw new RangeError('an item has no place');
      yield { type, extents };
    }
  }
}

/** The samples of an animation's track (8.7.3 to 8.7.5). */
function* samplesIn(bytes: Buffer, track: Range): Generator<Range> {
  const table = (type: string) => boxesAt(bytes, track, 'mdia', 'minf', 'stbl', type);
  const [sizes] = table('stsz');
  const [runs] = table('stsc');
  const [near] = table('stco');
  const chunks = near ?? table('co64')[0];
  if (!sizes || !runs || !chunks) throw new RangeError('a track has no tables');
  const [readSize, readRun, readChunk] = [reader(bytes, sizes), reader(bytes, runs), reader(bytes, chunks)];
  readSize(4);
  const sameBytes = readSize(4);
  let samplesLeft = readSize(4);
  readRun(4);
  let runsLeft = readRun(4);
  const nextRun = () => {
    runsLeft -= 1;
    const run = runsLeft >= 0 ? { first: readRun(4), perChunk: readRun(4) } : null;
    if (run) readRun(4);
    return run;
  };
  let run = nextRun();
  let following = nextRun();
  readChunk(4);
  for (let chunk = 1, count = readChunk(4); chunk <= count; chunk += 1) {
    if (following && chunk >= following.first) [run, following] = [following, nextRun()];
    let at = readChunk(near ? 4 : 8);
    for (let left = run?.perChunk ?? 0; left > 0 && samplesLeft > 0; left -= 1, samplesLeft -= 1) {
      const end = at + (sameBytes || readSize(4));
      yield { start: at, end };
      at = end;
    }
  }
}

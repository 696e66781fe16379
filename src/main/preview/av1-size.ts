/** Reads bits from the highest of each byte on, as AV1 orders them. @throws RangeError at the end */
function bitsOf(bytes: Buffer): (count: number) => number {
  let at = 0;
  return (count) => {
    let value = 0;
    for (let left = count; left > 0; left -= 1, at += 1)
      value = value * 2 + ((bytes.readUInt8(at >> 3) >> (7 - (at & 7))) & 1);
    return value;
  };
}

/**
 * The most pixels a frame can have under a sequence header (AV1 specification, 5.5.1).
 * @throws RangeError for one with timing information, which pictures don't have
 */
function pixelsUnder(sequenceHeader: Buffer): number {
  const read = bitsOf(sequenceHeader);
  read(4); // profile, still picture
  const isReduced = read(1) === 1;
  if (isReduced) read(5);
  else {
    if (read(1) === 1) throw new RangeError('timing');
    const hasDisplayDelays = read(1) === 1;
    for (let points = read(5) + 1; points > 0; points -= 1) {
      read(12);
      if (read(5) > 7) read(1);
      if (hasDisplayDelays && read(1) === 1) read(4);
    }
  }
  const [widthBits, heightBits] = [read(4) + 1, read(4) + 1];
  // Other frames may name another size, of as many bits.
  return isReduced ? (read(widthBits) + 1) * (read(heightBits) + 1) : 2 ** (widthBits + heightBits);
}

/**
 * The most pixels that a frame of an AV1 stream has, a series of OBUs (5.3), of which any can change the size; 0: none says.
 * @throws RangeError when it can't be told
 */
export function av1Pixels(stream: Buffer): number {
  let most = 0;
  for (let at = 0; at < stream.length;) {
    const header = stream.readUInt8(at);
    at += header & 0x04 ? 2 : 1;
    let sizeBytes = stream.length - at;
    if (header & 0x02) {
      sizeBytes = 0;
      // leb128, at most eight bytes.
      for (let place = 0; ; place += 1) {
        if (place === 8) throw new RangeError('leb128');
        const byte = stream.readUInt8(at);
        at += 1;
        sizeBytes += (byte & 0x7f) * 2 ** (7 * place);
        if (byte < 0x80) break;
      }
    }
    if (at + sizeBytes > stream.length) throw new RangeError('an OBU ends too late');
    if (((header >> 3) & 0x0f) === sequenceHeaderType)
      most = Math.max(most, pixelsUnder(stream.subarray(at, at + sizeBytes)));
    at += sizeBytes;
  }
  return most;
}
const sequenceHeaderType = 1;

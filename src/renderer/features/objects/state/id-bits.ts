/** A set of up to a million ids as bits: bit `n` (lowest bit of each byte first) is the id `firstId + n`. */
export type IdBits = { firstId: number; bits: Uint8Array };

/** @param bits base64 */
export function readIdBits({ firstId, bits }: { firstId: number; bits: string }): IdBits {
  return { firstId, bits: Uint8Array.from(atob(bits), (byte) => byte.charCodeAt(0)) };
}

export function hasId({ firstId, bits }: IdBits, id: number): boolean {
  const at = id - firstId;
  return at >= 0 && (((bits[Math.floor(at / 8)] ?? 0) >> (at % 8)) & 1) === 1;
}

/** The media type of an image, from its first bytes; null: not an image. Never SVG, which is a document. */
export function pictureTypeOf(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 32)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(start)) return 'image/webp';
  if (/^[^]{4}ftypavi[fs]/.test(start)) return 'image/avif';
  // The reserved field after the size is zero: many texts begin with the same two letters.
  if (/^BM[^]{4}\0{4}/.test(start)) return 'image/bmp';
  return null;
}

/** Whether these can be the first bytes of a text. */
export function couldBeText(bytes: Uint8Array): boolean {
  return !bytes.includes(0);
}

/** Whether all bytes are UTF-8 without NUL. */
export function isText(bytes: Uint8Array): boolean {
  if (!couldBeText(bytes)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false; // not UTF-8
  }
}

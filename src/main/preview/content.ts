export type ContentType = { kind: 'image' | 'audio' | 'video' | 'pdf' | 'text'; mediaType: string };

/**
 * Types of images, and of audio and video in containers that Chromium reads, by the first bytes. Whether it has a decoder for the streams
 * inside shows only when they are played. Never SVG, which is a document.
 */
const signatures: readonly [RegExp, ContentType['kind'], string][] = [
  [/^\x89PNG\r\n[^]\n/, 'image', 'image/png'],
  [/^\xff\xd8\xff/, 'image', 'image/jpeg'],
  [/^GIF8[79]a/, 'image', 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image', 'image/webp'],
  [/^[^]{4}ftypavi[fs]/, 'image', 'image/avif'],
  // The reserved field after the size is zero: many texts begin with the same two letters.
  [/^BM[^]{4}\0{4}/, 'image', 'image/bmp'],
  // A PDF may be all text, also after a byte order mark.
  [/^(\xef\xbb\xbf)?%PDF-/, 'pdf', 'application/pdf'],
  [/^RIFF[^]{4}WAVE/, 'audio', 'audio/wav'],
  // An ID3 tag (after its name a version below 32), or a frame of MPEG audio, layer 3.
  [/^(ID3[^\s -\xff]|\xff[\xf2\xf3\xfa\xfb])/, 'audio', 'audio/mpeg'],
  [/^\xff[\xf0\xf1\xf8\xf9]/, 'audio', 'audio/aac'],
  [/^fLaC\0/, 'audio', 'audio/flac'],
  [/^OggS\0/, 'audio', 'audio/ogg'],
  [/^[^]{4}ftypM4[AB]/, 'audio', 'audio/mp4'],
  // Not every `ftyp`: HEIC images have one, too.
  [/^[^]{4}ftyp(avc1|dash|iso[m2-9]|mp4[12]|M4V|MSNV|qt|3g[p2])/, 'video', 'video/mp4'],
  [/^[^\s -\xff]E\xdf\xa3/, 'video', 'video/webm'],
];

const startOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, 32)).toString('latin1');

/** The type by the first bytes; null: a text, or without a preview. */
export function signedType(bytes: Uint8Array): ContentType | null {
  const start = startOf(bytes);
  const found = signatures.find(([signature]) => signature.test(start));
  return found ? { kind: found[1], mediaType: found[2] } : null;
}

/** null: no preview. */
export function contentTypeOf(bytes: Uint8Array): ContentType | null {
  return (
    signedType(bytes) ?? (isText(bytes) ? { kind: 'text', mediaType: 'text/plain; charset=utf-8' } : null)
  );
}

/** Whether these can be the first bytes of a text. */
export function couldBeText(bytes: Uint8Array): boolean {
  return !bytes.includes(0);
}

/** Whether all bytes are UTF-8 without NUL. */
export function isText(bytes: Uint8Array): boolean {
  if (!couldBeText(bytes) || signedType(bytes)?.kind === 'pdf') return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false; // not UTF-8
  }
}

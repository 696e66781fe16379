import { z } from 'zod';
import { extensionOf, fileKind } from './file-kind.ts';
import type { ObjectRecord } from './object.ts';

/** Larger objects have no preview, whether local or downloaded on request, except audio and video. */
export const previewMaxBytes = 16 * 1024 * 1024;
/** Larger pictures have no preview: Chromium decodes the whole picture, at four bytes per pixel. */
export const pictureMaxPixels = 100_000_000;
/** Larger objects are downloaded only on request. */
export const automaticMaxBytes = 2 * 1024 * 1024;

/** Larger pictures are scaled down for a thumbnail, in pixels of their longer side. */
export const thumbnailPx = 512;
/** Number of characters kept of a text. */
export const thumbnailLetters = 1200;

/** A small picture in WebP, or the beginning of a text. */
export const thumbnailSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('picture'), base64: z.base64().max(200_000) }),
  z.object({ kind: z.literal('text'), text: z.string().max(thumbnailLetters) }),
]);
export type Thumbnail = z.infer<typeof thumbnailSchema>;

type Known = Pick<ObjectRecord, 'kind' | 'state' | 'lengthBytes'>;

/** Why an object has no preview, as far as is known without a request; null: it may have one. */
export function previewProblem(
  { kind, state, lengthBytes }: Known,
  maxBytes = previewMaxBytes,
): 'type' | 'state' | 'storing' | 'size' | null {
  if (kind !== 'data') return 'type';
  if (state === 'uploading') return 'storing';
  if (state !== 'stored' && state !== 'unknown') return 'state';
  return lengthBytes !== null && lengthBytes > maxBytes ? 'size' : null;
}

const without = new Set(
  [
    '7z bz2 gz rar tar tgz xz zip zst',
    'doc docx odt ppt pptx ods xls xlsx',
    'arrow db parquet sqlite e57 las laz',
    'heic ico tif tiff aif aiff mid wma avi mpeg mpg wmv',
  ].flatMap((line) => line.split(' ')),
);

/** Guessed from the name: false for kinds of files that have no preview. */
export function mayHavePreview(name: string): boolean {
  return !without.has(extensionOf(name));
}

/** Whether a name says that the file is of a kind that has previews, even if not in each of its formats. */
export function isNamedForPreview(name: string): boolean {
  const kind = fileKind(name);
  if (kind === 'image' || kind === 'audio' || kind === 'video') return true;
  return (kind === 'text' || kind === 'table') && mayHavePreview(name);
}

/** Whether audio or video is too large for memory and is played from a local file: its own, or a download. */
export function isPlayedFromFile({
  identifier,
  lengthBytes,
}: Pick<ObjectRecord, 'identifier' | 'lengthBytes'>): boolean {
  const kind = fileKind(identifier);
  const isPlayed = (kind === 'audio' || kind === 'video') && mayHavePreview(identifier);
  return isPlayed && lengthBytes !== null && lengthBytes > previewMaxBytes;
}

/** Audio and video have nothing to show on a tile. */
export function mayHaveThumbnail(name: string): boolean {
  const kind = fileKind(name);
  return kind !== 'audio' && kind !== 'video' && mayHavePreview(name);
}

import { extensionOf, fileKind } from './file-kind.ts';
import type { ObjectRecord } from './object.ts';

/** Larger objects have no preview, whether they are on this computer or a person asks for it, unless they are played. */
export const previewMaxBytes = 16 * 1024 * 1024;
/** Larger objects are not fetched without being asked for. */
export const automaticMaxBytes = 2 * 1024 * 1024;

type Known = Pick<ObjectRecord, 'kind' | 'state' | 'lengthBytes'>;

/** Why an object is not looked at, as far as it can be known without asking for it; null: it can be. */
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

/** A guess by the name, before anything is read: false for files that have no preview. */
export function mayHavePreview(name: string): boolean {
  return !without.has(extensionOf(name));
}

/** Sound and films that are too large for memory are played from a file of this computer: their own, or one that they were fetched into. */
export function isPlayedFromFile({
  identifier,
  lengthBytes,
}: Pick<ObjectRecord, 'identifier' | 'lengthBytes'>): boolean {
  const kind = fileKind(identifier);
  const isPlayed = (kind === 'audio' || kind === 'video') && mayHavePreview(identifier);
  return isPlayed && lengthBytes !== null && lengthBytes > previewMaxBytes;
}

/** Sound and films are played, and have nothing to show on a tile. */
export function mayHaveThumbnail(name: string): boolean {
  const kind = fileKind(name);
  return kind !== 'audio' && kind !== 'video' && mayHavePreview(name);
}

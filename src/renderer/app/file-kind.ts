import type { ObjectKind } from '../../shared/domain/object.ts';
import type { IconName } from '../ui/icons.tsx';

export type FileKind = 'text' | 'image' | 'table' | 'archive' | 'points' | 'file';

const extensions: Record<Exclude<FileKind, 'file'>, readonly string[]> = {
  text: [
    'doc',
    'docx',
    'htm',
    'html',
    'json',
    'log',
    'md',
    'odt',
    'pdf',
    'ppt',
    'pptx',
    'rtf',
    'tex',
    'txt',
    'xml',
    'yaml',
    'yml',
  ],
  image: ['avif', 'bmp', 'gif', 'heic', 'ico', 'jpeg', 'jpg', 'png', 'svg', 'tif', 'tiff', 'webp'],
  table: ['arrow', 'csv', 'db', 'jsonl', 'ods', 'parquet', 'sqlite', 'tsv', 'xls', 'xlsx'],
  archive: ['7z', 'bz2', 'gz', 'rar', 'tar', 'tgz', 'xz', 'zip', 'zst'],
  points: ['e57', 'gltf', 'las', 'laz', 'obj', 'ply', 'stl', 'xyz'],
};

const kindByExtension = new Map<string, FileKind>(
  Object.entries(extensions).flatMap(([kind, list]) =>
    list.map((extension): [string, FileKind] => [extension, kind as FileKind]),
  ),
);

/** In lower case, without the dot; empty when the name has none. */
export function extensionOf(name: string): string {
  return /[^/\\]\.([\p{L}\p{N}]{1,10})$/u.exec(name)?.[1]?.toLowerCase() ?? '';
}

/** A guess by the name alone, for an icon and a word. */
export function fileKind(name: string): FileKind {
  return kindByExtension.get(extensionOf(name)) ?? 'file';
}

export function fileIcon({ identifier, kind }: { identifier: string; kind?: ObjectKind }): IconName {
  return kind === 'secret' ? 'key' : fileKind(identifier);
}

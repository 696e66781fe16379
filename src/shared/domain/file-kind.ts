/** Index where the extension of the last name starts; a leading dot (`.service`) starts none. */
export function extensionStart(identifier: string, separator: string): number {
  const name = identifier.split(separator).at(-1) ?? '';
  const dot = name.lastIndexOf('.');
  return identifier.length - (dot > 0 ? name.length - dot : 0);
}

export const fileKinds = ['text', 'image', 'video', 'audio', 'table', 'archive', 'points', 'file'] as const;
export type FileKind = (typeof fileKinds)[number];

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
  video: ['avi', 'm4v', 'mkv', 'mov', 'mp4', 'mpeg', 'mpg', 'ogv', 'webm', 'wmv'],
  audio: ['aac', 'aif', 'aiff', 'flac', 'm4a', 'mid', 'mp3', 'oga', 'ogg', 'opus', 'wav', 'wma'],
  table: ['arrow', 'csv', 'db', 'jsonl', 'ods', 'parquet', 'sqlite', 'tsv', 'xls', 'xlsx'],
  archive: ['7z', 'bz2', 'gz', 'rar', 'tar', 'tgz', 'xz', 'zip', 'zst'],
  points: ['e57', 'gltf', 'las', 'laz', 'obj', 'ply', 'stl', 'xyz'],
};

const kindByExtension = new Map<string, FileKind>(
  Object.entries(extensions).flatMap(([kind, list]) =>
    list.map((extension): [string, FileKind] => [extension, kind as FileKind]),
  ),
);

/** Lower case, without the dot; '' for none. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  const before = name[dot - 1];
  if (before === undefined || before === '/' || before === '\\') return '';
  const extension = name.slice(dot + 1);
  return /^[\p{L}\p{N}]{1,10}$/u.test(extension) ? extension.toLowerCase() : '';
}

/** Guessed from the name alone, for an icon, a word, and `kind:` of a search. */
export function fileKind(name: string): FileKind {
  return kindByExtension.get(extensionOf(name)) ?? 'file';
}

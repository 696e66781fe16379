import { z } from 'zod';
import { checkObjectId } from './object-id.ts';

/** Parent folder of an identifier or a folder, without trailing separators; '' for none. */
export function folderAbove(path: string, separator: string): string {
  let end = path.lastIndexOf(separator);
  while (end >= separator.length && path.endsWith(separator, end)) end -= separator.length;
  return end <= 0 ? '' : path.slice(0, end);
}

/** Name relative to a folder above it ('' is the top); anything outside keeps its whole name. */
export function nameWithin(path: string, folder: string, separator: string): string {
  if (folder === '' || !path.startsWith(folder + separator)) return path;
  let start = folder.length;
  while (path.startsWith(separator, start)) start += separator.length;
  return start === path.length ? path : path.slice(start);
}

/** The prefix of all identifiers in a folder; '' for any. */
export function folderPrefix(folder: string, separator: string): string {
  return folder === '' || folder.endsWith(separator) ? folder : folder + separator;
}

/** The common prefix of all identifiers up to and including a separator; '' for none. */
export function commonFolder(identifiers: readonly string[], separator: string): string {
  const [first = [], ...others] = identifiers.map((identifier) => identifier.split(separator).slice(0, -1));
  const end = first.findIndex((part, at) => others.some((folders) => folders[at] !== part));
  return first
    .slice(0, end === -1 ? undefined : end)
    .map((part) => part + separator)
    .join('');
}

/** A folder and its ancestors, from the top. */
export function folderTrail(path: string, separator: string): { path: string; name: string }[] {
  if (path === '') return [];
  const above = folderAbove(path, separator);
  return [...folderTrail(above, separator), { path, name: nameWithin(path, above, separator) }];
}

/** Whether a separator repeats a character three times, as if its key was held down. */
export function isRepeated(separator: string): boolean {
  return /(.)\1\1/su.test(separator);
}

/** A folder without objects that is added (`from` is null), removed (`to` is null), or moved. */
export const folderChangeSchema = z.strictObject({
  from: z.string().max(8192).nullable(),
  to: z.string().max(8192).nullable(),
});
export type FolderChange = z.infer<typeof folderChangeSchema>;

/** The change that takes it back. */
export const opposite = ({ from, to }: FolderChange): FolderChange => ({ from: to, to: from });

/** Whether a path is a folder, or inside of it. */
export function isWithin(path: string, folder: string, separator: string): boolean {
  return path === folder || path.startsWith(folder + separator);
}

/** The path of a folder after folders were moved. */
export function pathAfter(path: string, changes: readonly FolderChange[], separator: string): string {
  const change = changes.find(({ from }) => from !== null && isWithin(path, from, separator));
  if (change === undefined || change.from === null || change.to === null) return path;
  return change.to + path.slice(change.from.length);
}

/** Whether folders can be made with this name: each of its parts, if it has several, could be an identifier. */
export function checkFolderName(name: string, separator: string): ReturnType<typeof checkObjectId> {
  const parts = name.split(separator).map((part) => checkObjectId(part));
  return parts.find(({ ok }) => !ok) ?? { ok: true };
}

import { join, relative, isAbsolute } from 'node:path';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Paths } from '../ports.ts';
import type { StoredProfile } from './service-repository.ts';

/** Where downloads of a profile go, absolute. */
export function downloadFolderOf(
  profile: Pick<StoredProfile, 'name' | 'downloadFolder'>,
  paths: Pick<Paths, 'downloads'>,
): string {
  if (profile.downloadFolder !== null) return profile.downloadFolder;
  return join(paths.downloads, safeFileName(profile.name));
}

/** For people: `~/Downloads/Meridian`. */
export function shortenHome(path: string, home: string): string {
  const below = relative(home, path);
  if (below === '') return '~';
  return below.startsWith('..') || isAbsolute(below) ? path : join('~', below);
}

import { basename, relative, isAbsolute, sep } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { badPatterns, type WatchChoices } from '../../shared/domain/watch.ts';
import { unknownParts } from '../../shared/domain/template.ts';
import type { AppErrorOf } from '../../shared/errors.ts';
import { access, constants, realpath, stat } from '../local-files/fs.ts';

type Problem = AppErrorOf<'folderNotWatched'>['problem'];

/**
 * Checks that a folder can be watched.
 * @param places.others folders of the same service that are watched
 * @param places.downloadFolder of the service
 * @throws AppFailure folderNotWatched
 */
export async function requireWatchable(
  folder: string,
  {
    userData,
    downloadFolder,
    others,
  }: { userData: string; downloadFolder: string; others: readonly string[] },
): Promise<void> {
  const refuse = (problem: Problem, beside?: string): never => {
    throw new AppFailure({
      code: 'folderNotWatched',
      folderName: basename(folder),
      problem,
      ...(beside !== undefined && { beside: basename(beside) }),
    });
  };
  try {
    if (!(await stat(folder)).isDirectory()) refuse('notAFolder');
    await access(folder, constants.R_OK);
  } catch (cause) {
    if (cause instanceof AppFailure) throw cause;
    const code = cause instanceof Error && 'code' in cause ? cause.code : '';
    refuse(code === 'EACCES' || code === 'EPERM' ? 'unreadable' : 'gone');
  }
  const real = await realOf(folder);
  const own = await realOf(userData);
  if (contains(real, own) || contains(own, real)) refuse('holdsCoffer');
  if (contains(await realOf(downloadFolder), real)) refuse('downloads');
  for (const other of others) {
    const realOther = await realOf(other);
    if (realOther === real) refuse('same', other);
    if (contains(realOther, real)) refuse('inside', other);
    if (contains(real, realOther)) refuse('around', other);
  }
}

/** @throws AppFailure invalidInput (template, unknownPart), (ignore, badPattern) */
export function requireValid({ template, ignore }: Pick<WatchChoices, 'template' | 'ignore'>): void {
  const unknown = unknownParts(template);
  if (unknown.length > 0)
    throw new AppFailure({
      code: 'invalidInput',
      field: 'template',
      problem: 'unknownPart',
      values: unknown,
    });
  const bad = badPatterns(ignore);
  if (bad.length > 0)
    throw new AppFailure({ code: 'invalidInput', field: 'ignore', problem: 'badPattern', values: bad });
}

/** Whether a folder is the other one, or lies in it. */
export function contains(folder: string, other: string): boolean {
  const below = relative(folder, other);
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}

/** A folder that is not there now is compared by its name. */
export function realOf(folder: string): Promise<string> {
  return realpath(folder).catch(() => folder);
}

import { setTimeout as limit } from 'node:timers/promises';
import { basename, isAbsolute, relative, sep } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { badPatterns, type WatchChoices } from '../../shared/domain/watch.ts';
import { unknownParts } from '../../shared/domain/template.ts';
import type { AppErrorOf } from '../../shared/errors.ts';
import { access, type BigIntStats, constants, realpath, stat } from '../local-files/fs.ts';

/** Drives that do not answer within this many ms count as away. In real time, as drives hang in no other. */
const answerMs = 10_000;

/** The answer of a drive, or `late` on a timeout. `asked` stays pending then: callers must not ask again before it settles. */
export async function orLate<T>(asked: Promise<T>, late: T, limitMs = answerMs): Promise<T> {
  const answered = new AbortController();
  const over = limit(limitMs, late, { signal: answered.signal, ref: false });
  try {
    return await Promise.race([asked, over]);
  } finally {
    over.catch(() => undefined);
    answered.abort();
  }
}

/** Resolves the links in a folder's path. */
export type RealPathOf = (folder: string) => Promise<string>;

/**
 * One look-up per folder at a time: on a drive that hangs, each would block a thread of Node's pool. The first callers wait
 * for it up to the limit; until it settles, later ones get the last answer, or the folder as given.
 */
export function createRealPaths(ask: RealPathOf = realpath, limitMs = answerMs): RealPathOf {
  const known = new Map<string, string>();
  /** The limited wait for each pending look-up. */
  const waits = new Map<string, Promise<void>>();

  function askFor(folder: string): Promise<void> {
    const asked = ask(folder)
      .then(
        (path) => void known.set(folder, path),
        () => void known.delete(folder),
      )
      .finally(() => waits.delete(folder));
    const wait = orLate(asked, undefined, limitMs);
    waits.set(folder, wait);
    return wait;
  }

  return async (folder) => {
    await (waits.get(folder) ?? askFor(folder));
    return known.get(folder) ?? folder;
  };
}

/**
 * Distinguishes a folder from another one at the same path, such as on another drive mounted there: by its creation time, or
 * by its inode number where the system has none. Not by both: exFAT renumbers folders at each mount, and the root of every
 * ext4 drive has the same number.
 */
export interface FolderIdentity {
  readonly number: string;
  /** In ns; '': not known. */
  readonly born: string;
}

/** @throws AppFailure folderGone */
export async function identityOf(folder: string): Promise<FolderIdentity> {
  try {
    return describe(await stat(folder, { bigint: true }));
  } catch {
    throw new AppFailure({ code: 'folderGone', folderName: basename(folder) });
  }
}

export function isSameFolder(identity: FolderIdentity, stats: BigIntStats): boolean {
  const { number, born } = describe(stats);
  return born === '' || identity.born === '' ? number === identity.number : born === identity.born;
}

function describe({ dev, ino, birthtimeNs }: BigIntStats): FolderIdentity {
  // Windows gives a drive a permanent number; other systems number drives in the order they are mounted.
  const drive = process.platform === 'win32' ? `${String(dev)} ` : '';
  return { number: `${drive}${String(ino)}`, born: birthtimeNs > 0n ? String(birthtimeNs) : '' };
}

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

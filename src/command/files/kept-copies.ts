import { lstatSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rename } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename, join } from 'node:path';
import type { Output as Answer } from '../../shared/contract.ts';
import { digestOf } from '../../main/local-files/file-bytes.ts';
import { removeCopy } from '../../main/local-files/remove-copy.ts';
import type { CommandIo } from '../terminal/io.ts';

/*
 * Copies that outlive the command, in private folders of the system's temporary folder: what the person edited and is not stored,
 * which Coffer never removes, and what a program was started to show.
 */

const [editPrefix, openPrefix] = ['coffer-edit-', 'coffer-open-'];
/** How much of a digest a folder's name has. */
const digestDigits = 16;
/** A program that was started to show a copy has opened it by then, in ms. */
const openedForMs = 24 * 60 * 60 * 1000;

/**
 * Takes the folder of an edit out of a data folder that is removed with the command.
 * @returns the path of the copy, or of the folder if only files beside it are not stored
 */
export async function keepEdited(
  io: CommandIo,
  hasList: boolean,
  folder: string,
  { fileName, isChanged }: Pick<Answer<'edits.leave'>, 'fileName' | 'isChanged'>,
): Promise<string> {
  let kept = folder;
  if (!hasList) {
    kept = join(io.temporaryFolder, editPrefix + basename(folder));
    await rename(folder, kept);
  }
  return isChanged ? join(kept, fileName) : kept;
}

/** A folder for a copy that is to be shown. */
export async function makeOpenFolder({ temporaryFolder }: CommandIo): Promise<string> {
  return mkdtemp(join(temporaryFolder, openPrefix));
}

/**
 * Makes the copy read-only, and notes its digest in the name of its folder: a later command tells by it that no program changed it.
 * @returns its path
 */
export async function sealOpened(folder: string, fileName: string): Promise<string> {
  const path = join(folder, fileName);
  await chmod(path, 0o400);
  const read = await digestOf(path);
  if (read === null) return path;
  const sealed = `${folder}-${read.sha256.slice(0, digestDigits)}`;
  await rename(folder, sealed);
  return join(sealed, fileName);
}

/** Removes copies of this user that were opened more than a day ago. Those that a program changed, or put files beside, stay. */
export async function removeOldOpened({ temporaryFolder, clock }: CommandIo): Promise<void> {
  for (const name of readdirSync(temporaryFolder)) {
    const [, digest] = /^coffer-open-.+-([0-9a-f]{16})$/.exec(name) ?? [];
    if (digest === undefined) continue;
    const folder = join(temporaryFolder, name);
    try {
      const { uid, mtimeMs } = lstatSync(folder);
      const [file, ...others] = readdirSync(folder);
      const isOurs = process.platform === 'win32' || uid === userInfo().uid;
      if (!isOurs || mtimeMs > clock.nowMs() - openedForMs || !file || others.length > 0) continue;
      const { sha256 = '' } = (await digestOf(join(folder, file))) ?? {};
      if (sha256.startsWith(digest)) await removeCopy(join(folder, file), [sha256], true);
    } catch {
      // Another command removes it, or a program has it open: next time.
    }
  }
}

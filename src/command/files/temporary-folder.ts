import { createHash } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { takeLease } from '../../main/database/lease.ts';
import { freeBytesIn } from '../../main/local-files/free-space.ts';
import { completeAddress } from '../../shared/domain/service.ts';
import { formatSize } from '../../shared/i18n/format.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import type { CommandIo } from '../terminal/io.ts';
import { commandTexts as texts } from '../texts.ts';

/** One way to write an address, for comparing. */
export function plainAddress(address: string): string {
  return (URL.parse(completeAddress(address))?.href ?? address).replace(/\/+$/, '');
}

/** Of the names of a command's folders: the next command finds those of its own service by it. */
function prefixFor({ env: { COFFER_ADDRESS: address = '' } }: CommandIo): string {
  const digest = createHash('sha256').update(plainAddress(address)).digest('hex');
  return `coffer-command-${digest.slice(0, 8)}-`;
}

/** Makes a private folder for the working files of a command on a build machine. @throws Usage */
export async function makeTemporaryFolder(io: CommandIo): Promise<string> {
  const { temporaryFolder: folder } = io;
  try {
    return await mkdtemp(join(folder, prefixFor(io)));
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new Usage(texts.noTemporaryFolder({ folder, reason }), exitCodes.error);
  }
}

/** The error that a folder for working files has too little space. @param needed a size, in words */
export async function noSpaceIn(folder: string, needed: string): Promise<Usage> {
  const freeBytes = (await freeBytesIn(folder)) ?? 0;
  return new Usage(texts.noSpace({ folder, needed, free: formatSize(freeBytes) }), exitCodes.error);
}

/** Folders in which ended or killed commands of this user and service have left the bytes of a Replace. */
export function findAbandonedFolders(io: CommandIo): string[] {
  const { temporaryFolder } = io;
  const prefix = prefixFor(io);
  const names = readdirSync(temporaryFolder).filter((name) => name.startsWith(prefix));
  return names
    .map((name) => join(temporaryFolder, name))
    .filter((folder) => holdsReplace(folder) && !isInUse(folder));
}

/** Whether the folder is this user's, with the bytes of a Replace. Another user's could name any files to send. */
export function holdsReplace(folder: string): boolean {
  try {
    const stats = lstatSync(folder);
    return (
      stats.isDirectory() && stats.uid === userInfo().uid && readdirSync(join(folder, 'kept')).length > 0
    );
  } catch {
    return false;
  }
}

function isInUse(folder: string): boolean {
  try {
    takeLease(folder).release();
    return false;
  } catch {
    return true;
  }
}

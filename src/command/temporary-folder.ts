import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Usage } from './errors.ts';
import { exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { commandTexts as texts } from './texts.ts';

/** Makes a private folder for the working files of a command on a build machine. @throws Usage */
export async function makeTemporaryFolder({ temporaryFolder: folder }: CommandIo): Promise<string> {
  try {
    return await mkdtemp(join(folder, 'coffer-'));
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new Usage(texts.noTemporaryFolder({ folder, reason }), exitCodes.error);
  }
}

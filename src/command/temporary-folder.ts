import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { Usage } from './errors.ts';
import { exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { commandTexts as texts } from './texts.ts';

/** A private one, for what a command on a build machine keeps while it works. @throws Usage */
export async function makeTemporaryFolder({ temporaryFolder: folder }: CommandIo): Promise<string> {
  try {
    return await mkdtemp(join(folder, 'coffer-'));
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new Usage(texts.noTemporaryFolder({ folder, reason }), exitCodes.error);
  }
}

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Usage } from './context.ts';
import { exitCodes } from './exit-code.ts';
import { commandTexts as texts } from './texts.ts';

/** A private one, for what a command on a build machine keeps while it works. @throws Usage */
export async function makeTemporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'coffer-'));
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    throw new Usage(texts.noTemporaryFolder({ folder: tmpdir(), reason }), exitCodes.error);
  }
}

import { dirname } from 'node:path';
import { startProgram } from '../../main/lib/start-program.ts';
import { mayOpen } from '../../main/local-files/may-open.ts';
import type { CommandIo } from '../terminal/io.ts';

/**
 * Opens a private copy with the desktop's default program, or, if it is not of a kind to be opened, its folder, which holds nothing else.
 * false: nothing could open it.
 */
export async function openCopy(path: string, { cwd, platform, env: own }: CommandIo): Promise<boolean> {
  const { COFFER_TOKEN: _token, ...env } = own;
  const options = { env, cwd: cwd ?? '/' };
  const opened = (await mayOpen(path, platform)) ? path : dirname(path);
  if (platform === 'darwin') return startProgram('open', [opened], options);
  // Not with cmd.exe, which interprets `&` and `%` in a name. Explorer takes `,` and `=` outside of quotes for the end of a path, and Node
  // quotes only spaces. Explorer exits with 1 even if it opened the file.
  if (platform === 'win32')
    return startProgram('explorer.exe', [`"${opened}"`], { ...options, ignoresCode: true, isVerbatim: true });
  return startProgram('xdg-open', [opened], options);
}

import { startProgram } from '../../main/lib/start-program.ts';
import type { CommandIo } from '../terminal/io.ts';

/** Opens a file with the desktop's default program. false: nothing could open the file. */
export function openFile(path: string, { cwd, platform, env: own }: CommandIo): Promise<boolean> {
  const { COFFER_TOKEN: _token, ...env } = own;
  const options = { env, cwd: cwd ?? '/' };
  if (platform === 'darwin') return startProgram('open', [path], options);
  // Not with cmd.exe, which interprets `&` and `%` in a name. Explorer exits with 1 even if it opened the file.
  if (platform === 'win32') return startProgram('explorer.exe', [path], { ...options, ignoresCode: true });
  return startProgram('xdg-open', [path], options);
}

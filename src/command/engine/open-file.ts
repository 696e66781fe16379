import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { startProgram } from '../../main/lib/start-program.ts';
import type { CommandIo } from '../terminal/io.ts';

/**
 * Opens a file with the desktop's default program. A writable copy is meant for editing: on a terminal it opens in $VISUAL or
 * $EDITOR if set, and the call resolves when the editor exits. false: nothing could open the file.
 */
export async function openFile(path: string, io: CommandIo): Promise<boolean> {
  const { env, platform, stdin, childStdio } = io;
  const editor = env['VISUAL'] || env['EDITOR'];
  const options = { env, cwd: io.cwd ?? '/' };
  if (editor && stdin.isTTY && ((await stat(path)).mode & 0o200) !== 0)
    return succeeds('sh', ['-c', `${editor} "$1"`, 'sh', path], { ...options, stdio: childStdio });
  if (platform === 'darwin') return startProgram('open', [path], options);
  // Not with cmd.exe, which interprets `&` and `%` in a name. Explorer exits with 1 even if it opened the file.
  if (platform === 'win32') return startProgram('explorer.exe', [path], { ...options, ignoresCode: true });
  return startProgram('xdg-open', [path], options);
}

async function succeeds(program: string, args: readonly string[], options: SpawnOptions): Promise<boolean> {
  const child = spawn(program, args, options);
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}

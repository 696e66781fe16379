import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { CommandIo } from './io.ts';

/**
 * Opens a file with the desktop's default program. A writable copy is meant for editing: on a terminal it opens in $VISUAL or
 * $EDITOR if set, and the call resolves when the editor exits. false: nothing could open the file.
 */
export async function openFile(path: string, io: CommandIo): Promise<boolean> {
  const { env, platform, stdin, childStdio } = io;
  const editor = env['VISUAL'] || env['EDITOR'];
  const run = (program: string, args: readonly string[], stdio: 'inherit' | 'ignore') =>
    succeeds(program, args, { stdio, env, cwd: io.cwd });
  if (editor && stdin.isTTY && ((await stat(path)).mode & 0o200) !== 0)
    return run('sh', ['-c', `${editor} "$1"`, 'sh', path], childStdio);
  if (platform === 'darwin') return run('open', [path], 'ignore');
  // The command processor would read `&` and `%` of a name. Explorer ends with 1 although it opened the file.
  if (platform === 'win32') return starts('explorer.exe', [path], { stdio: 'ignore', env, cwd: io.cwd });
  return run('xdg-open', [path], 'ignore');
}

async function starts(program: string, args: readonly string[], options: SpawnOptions): Promise<boolean> {
  const child = spawn(program, args, options);
  try {
    await once(child, 'spawn');
    return true;
  } catch {
    return false;
  }
}

async function succeeds(program: string, args: readonly string[], options: SpawnOptions): Promise<boolean> {
  const child = spawn(program, args, { ...options, windowsHide: true });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}

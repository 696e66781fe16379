import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import type { CommandIo } from './io.ts';

/**
 * Opens a file as the desktop does. A copy that can be written is there to be edited: on a terminal, where $VISUAL or $EDITOR names an editor,
 * it is opened in that, until it is left. false: nothing could open it.
 */
export async function openFile(path: string, io: CommandIo): Promise<boolean> {
  const { env, platform, stdin, childStdio } = io;
  const editor = env['VISUAL'] || env['EDITOR'];
  const run = (program: string, args: readonly string[], stdio: 'inherit' | 'ignore') =>
    succeeds(program, args, { stdio, env, cwd: io.cwd });
  if (editor && stdin.isTTY && ((await stat(path)).mode & 0o200) !== 0)
    return run('sh', ['-c', `${editor} "$1"`, 'sh', path], childStdio);
  if (platform === 'darwin') return run('open', [path], 'ignore');
  if (platform === 'win32') return run('cmd', ['/d', '/c', 'start', '', path], 'ignore');
  return run('xdg-open', [path], 'ignore');
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

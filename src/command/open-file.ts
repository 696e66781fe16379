import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';

/**
 * Opens a file as the desktop does. A copy that can be written is there to be edited: on a terminal, where $VISUAL or $EDITOR names an editor,
 * it is opened in that, until it is left. false: nothing could open it.
 */
export async function openFile(path: string): Promise<boolean> {
  const { VISUAL, EDITOR } = process.env;
  const editor = VISUAL || EDITOR;
  if (editor && process.stdin.isTTY && ((await stat(path)).mode & 0o200) !== 0)
    return run('sh', ['-c', `${editor} "$1"`, 'sh', path], 'inherit');
  if (process.platform === 'darwin') return run('open', [path], 'ignore');
  if (process.platform === 'win32') return run('cmd', ['/d', '/c', 'start', '', path], 'ignore');
  return run('xdg-open', [path], 'ignore');
}

async function run(program: string, args: readonly string[], stdio: 'inherit' | 'ignore'): Promise<boolean> {
  const child = spawn(program, args, { stdio, windowsHide: true });
  try {
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}

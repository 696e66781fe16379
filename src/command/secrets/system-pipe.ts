import { spawnSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import type { CommandIo } from '../terminal/io.ts';

/** Both ends of a pipe. */
export interface SystemPipe {
  readonly from: Socket;
  /** Close it once a program has it: a pipe ends when nobody can write to it any more. */
  readonly to: number;
}

/**
 * Pipes for standard output and standard error of a program, as a shell makes them: what Node calls pipes are sockets, which no
 * program can open as /dev/stdout. Node has no call for a pipe, so each is a FIFO that loses its name at once. null where there
 * are none: on Windows, without mkfifo(1), or if the temporary folder takes none.
 */
export function makePipes({ env, platform, temporaryFolder }: CommandIo): SystemPipe[] | null {
  if (platform === 'win32') return null;
  const pipes: SystemPipe[] = [];
  let folder: string | null = null;
  try {
    folder = mkdtempSync(join(temporaryFolder, 'coffer-pipes-'));
    const paths = [join(folder, 'out'), join(folder, 'error')];
    spawnSync('mkfifo', ['-m', '600', ...paths], { env, cwd: folder, stdio: 'ignore' });
    for (const path of paths) pipes.push(openPipe(path));
    return pipes;
  } catch {
    for (const { from, to } of pipes) {
      from.destroy();
      closeSync(to);
    }
    return null;
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true });
  }
}

function openPipe(path: string): SystemPipe {
  // In this order, and not waiting: each end would otherwise wait for the other.
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const to = openSync(path, constants.O_WRONLY);
    return { from: new Socket({ fd: reader, readable: true, writable: false }), to };
  } catch (cause) {
    closeSync(reader);
    throw cause;
  }
}

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readFileSync, rmSync, writeFileSync } from '../local-files/fs.ts';

/** Maximum length of a Unix socket path: 108 bytes on Linux, 104 on macOS, including a terminating zero. */
const maxPathBytes = 103;

/** Where the app that owns a data folder serves commands. */
export interface Address {
  readonly path: string;
  /** What both ends prove to know in their greeting (proof.ts); null where the socket itself belongs to its owner alone. */
  readonly key: string | null;
}

/**
 * A Unix socket in the data folder, which only its owner can open. On Windows the name of a pipe is no secret, as all of them can
 * be listed, and Node sets no access list of its own: libuv passes none to CreateNamedPipeW, and uv_pipe_chmod only adds
 * everybody (src/win/pipe.c). With the usual one others can connect, and read alone. Once a killed app has left the name, anybody
 * can serve it. So each start has a name and a key of its own, which only a reader of the data folder knows.
 */
export function newAddress(userDataFolder: string, platform = process.platform): Address {
  if (platform !== 'win32') return { path: socketPath(userDataFolder), key: null };
  const address = {
    path: `\\\\.\\pipe\\coffer-${crypto.randomUUID()}`,
    key: randomBytes(32).toString('base64url'),
  };
  writeFileSync(pipeFile(userDataFolder), `${address.path}\n${address.key}`, { mode: 0o600 });
  return address;
}

/** null: no app has served this folder, as far as can be told, or its path is too long for a socket. */
export function knownAddress(userDataFolder: string, platform = process.platform): Address | null {
  if (platform !== 'win32') {
    const path = socketPath(userDataFolder);
    return fitsSocket(path) ? { path, key: null } : null;
  }
  try {
    const [path = '', key = ''] = readFileSync(pipeFile(userDataFolder), 'utf8').split('\n');
    return path === '' || key === '' ? null : { path, key };
  } catch {
    return null;
  }
}

/** Removes what a killed run left behind. Only the holder of the folder's lease may call this. */
export function removeAddress(userDataFolder: string): void {
  rmSync(process.platform === 'win32' ? pipeFile(userDataFolder) : socketPath(userDataFolder), {
    force: true,
  });
}

export function fitsSocket(address: string): boolean {
  return process.platform === 'win32' || Buffer.byteLength(address) <= maxPathBytes;
}

function socketPath(userDataFolder: string): string {
  return join(userDataFolder, 'agent.sock');
}

function pipeFile(userDataFolder: string): string {
  return join(userDataFolder, 'agent-pipe');
}

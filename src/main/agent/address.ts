import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readFileSync, rmSync, writeFileSync } from '../local-files/fs.ts';

/** Maximum length of a Unix socket path: 108 bytes on Linux, 104 on macOS, including a terminating zero. */
const maxPathBytes = 103;

/** Where the app that owns a data folder serves commands. */
export interface Address {
  readonly path: string;
  /** Secret that both ends prove to know in their greeting (proof.ts); null where only the owner can open the socket. */
  readonly key: string | null;
}

/**
 * A Unix socket in the data folder, which only its owner can open. On Windows pipe names are not secret, since anybody can list them,
 * and Node cannot restrict access: libuv passes no access list to CreateNamedPipeW, and uv_pipe_chmod can only add everybody
 * (src/win/pipe.c). With the default list other users can connect, though only to read. Once an app is killed, anybody can serve its
 * name. So each start uses a new name and key, which only readers of the data folder know.
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

/** null: no app is known to have served this folder, or its path is too long for a socket. */
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

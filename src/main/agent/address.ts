import { join } from 'node:path';
import { readFileSync, rmSync, writeFileSync } from '../local-files/fs.ts';

/** Maximum length of a Unix socket path: 108 bytes on Linux, 104 on macOS, including a terminating zero. */
const maxPathBytes = 103;

/**
 * The address at which the app that owns a data folder serves commands: a Unix socket in that folder, which only its
 * owner can open. On Windows anybody can create or read a named pipe, so its name is random for each start and
 * written in that folder.
 */
export function newAddress(userDataFolder: string): string {
  if (process.platform !== 'win32') return socketPath(userDataFolder);
  const address = `\\\\.\\pipe\\coffer-${crypto.randomUUID()}`;
  writeFileSync(pipeFile(userDataFolder), address, { mode: 0o600 });
  return address;
}

/** null: no app has served this folder, as far as can be told, or its path is too long for a socket. */
export function knownAddress(userDataFolder: string): string | null {
  if (process.platform !== 'win32') {
    const address = socketPath(userDataFolder);
    return fitsSocket(address) ? address : null;
  }
  try {
    return readFileSync(pipeFile(userDataFolder), 'utf8');
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

import { join } from 'node:path';
import { readFileSync, rmSync, writeFileSync } from '../local-files/fs.ts';

/** A path of a Unix socket longer than this is refused by the system (108 bytes on Linux, 104 on macOS, with a zero at the end). */
const maxPathBytes = 103;

/**
 * Where the app that owns a data folder answers commands: a Unix socket in that folder, which is open to its person alone. On
 * Windows anybody may make or read a named pipe, so its name is random for each start and written in that folder.
 */
export function newAddress(userDataFolder: string): string {
  if (process.platform !== 'win32') return socketPath(userDataFolder);
  const address = `\\\\.\\pipe\\coffer-${crypto.randomUUID()}`;
  writeFileSync(pipeFile(userDataFolder), address, { mode: 0o600 });
  return address;
}

/** null: no app has answered from this folder, as far as can be told. */
export function knownAddress(userDataFolder: string): string | null {
  if (process.platform !== 'win32') return socketPath(userDataFolder);
  try {
    return readFileSync(pipeFile(userDataFolder), 'utf8');
  } catch {
    return null;
  }
}

/** What a run that was killed has left. Only who holds the lease of the folder may remove it. */
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

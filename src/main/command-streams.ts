import { join } from 'node:path';
import { namesIn, type OwnFolder } from './transfers/undo/unknown-files.ts';
import type { Log } from './ports.ts';
import { isOver, type TransferRecord } from './transfers/model/record.ts';
import { readdir, rm } from './local-files/fs.ts';

/** Files with the standard input and output of commands, for as long as transfers need them: one folder per command process. */
export interface Streams {
  /** Removes folders whose transfers have all ended. */
  tidy(): Promise<void>;
  readonly own: OwnFolder;
}

export function createStreams(
  folder: string,
  ofPath: (path: string) => Promise<TransferRecord | null>,
  log: Log,
): Streams {
  /** Transfers of the files in a folder; null: it has an unknown file, or none. */
  async function transfersOf(name: string): Promise<TransferRecord[] | null> {
    const files = await readdir(join(folder, name)).catch(() => []);
    const transfers: TransferRecord[] = [];
    for (const file of files) {
      const transfer = await ofPath(join(folder, name, file));
      if (transfer === null) return null;
      transfers.push(transfer);
    }
    return transfers.length === 0 ? null : transfers;
  }

  return {
    async tidy() {
      for (const name of await namesIn(folder).catch(() => [])) {
        if (isOfRunningCommand(name)) continue;
        const transfers = await transfersOf(name);
        if (!transfers?.every(isOver)) continue;
        await rm(join(folder, name), { recursive: true, force: true }).catch((cause: unknown) =>
          log.warn('what a command had kept could not be removed', { cause }),
        );
      }
    },
    own: {
      folder,
      async unknownOf(names) {
        const unknown: string[] = [];
        for (const name of names)
          if (!isOfRunningCommand(name) && (await transfersOf(name)) === null) unknown.push(name);
        return unknown;
      },
      isSealed: false,
    },
  };
}

function isOfRunningCommand(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

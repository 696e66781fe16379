import { setTimeout } from 'node:timers/promises';
import { toAppError } from '../../shared/app-failure.ts';
import { openDatabase } from '../storage/open-database.ts';
import { knownAddress } from './address.ts';
import { AgentGone, AgentRefused, AgentSilent, askToMakeWay } from './agent-client.ts';

/**
 * How long the app waits for a command to release the folder, in ms. The command's transfers stop long before; its
 * other work may take this long.
 */
const longestWaitMs = 30_000;
const waitMs = 100;

/**
 * Like `openDatabase`, for the app: asks a command that uses the data folder to release it, and waits. The app
 * continues its work.
 * @throws AppFailure dataFolderInUse when another app has the folder, or the command does not end
 */
export function openAfterCommands(version: string): typeof openDatabase {
  return async (options) => {
    const giveUpMs = performance.now() + longestWaitMs;
    for (;;) {
      try {
        return await openDatabase(options);
      } catch (cause) {
        if (toAppError(cause)?.code !== 'dataFolderInUse' || performance.now() > giveUpMs) throw cause;
        if (!(await makesWay(options.folder, version))) throw cause;
        options.onWaitsForCommand?.();
        await setTimeout(waitMs);
      }
    }
  };
}

async function makesWay(folder: string, version: string): Promise<boolean> {
  const address = knownAddress(folder);
  if (address === null) return true;
  try {
    return await askToMakeWay(address, version);
  } catch (cause) {
    if (cause instanceof AgentGone) return true;
    if (cause instanceof AgentSilent) return false;
    // A command with another protocol does not end.
    if (cause instanceof AgentRefused) return cause.isPassing;
    throw cause;
  }
}

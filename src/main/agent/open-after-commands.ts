import { setTimeout } from 'node:timers/promises';
import { toAppError } from '../../shared/app-failure.ts';
import { openDatabase } from '../storage/open-database.ts';
import { knownAddress } from './address.ts';
import { AgentGone, AgentRefused, askToMakeWay } from './agent-client.ts';

/** A command that is asked to make way has ended its transfers long before; other work is waited for so long. */
const longestWaitMs = 30_000;
const waitMs = 100;

/**
 * As `openDatabase`, for the app: where a command works over the data folder, it is asked to make way and waited for. What it had
 * begun goes on in the app. @throws AppFailure dataFolderInUse when another app has the folder, or a command does not end
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
    // One that does not understand us does not go.
    if (cause instanceof AgentRefused) return cause.isPassing;
    throw cause;
  }
}

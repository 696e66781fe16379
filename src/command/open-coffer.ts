import { setTimeout } from 'node:timers/promises';
import { AgentRefused, connectAgent, type CofferClient } from '../main/agent/agent-client.ts';
import { knownAddress } from '../main/agent/address.ts';
import { toAppError } from '../shared/app-failure.ts';

/** So long another may hold the data folder without answering: it is starting, or ending. */
const longestWaitMs = 30_000;
const waitMs = 50;

export interface OpenedCoffer {
  readonly coffer: CofferClient;
  /** It is the running app, or another command; false: the work is done here. */
  readonly isApp: boolean;
  /** Aborted when the app starts, and waits for the data folder that this command works over. */
  readonly makeWay: AbortSignal;
}

const never = new AbortController().signal;

/**
 * The running app, or whichever command has the data folder; where nobody has it, this command does the work itself.
 * An address and a token in the environment stand for themselves, as on build machines: nothing is kept of them.
 * @throws AgentRefused, AppFailure dataFolderInUse when somebody holds the folder and does not answer
 */
export async function openCoffer(
  userDataFolder: string,
  version: string,
  { COFFER_ADDRESS: address, COFFER_TOKEN: token }: NodeJS.ProcessEnv,
): Promise<OpenedCoffer> {
  if (address && token) {
    const { openTemporaryEngine } = await import('./own-engine.ts');
    const coffer = await openTemporaryEngine({ address, token }, version);
    return { coffer, isApp: false, makeWay: never };
  }
  const giveUpMs = performance.now() + longestWaitMs;
  for (;;) {
    try {
      const address = knownAddress(userDataFolder);
      const running = address === null ? null : await connectAgent(address, version);
      if (running) return { coffer: running, isApp: true, makeWay: never };
      // Everything that works over the list is loaded only where it is needed: a question to the app is answered much sooner.
      const { openOwnEngine } = await import('./own-engine.ts');
      return { ...(await openOwnEngine(userDataFolder, version)), isApp: false };
    } catch (cause) {
      const isPassing =
        cause instanceof AgentRefused ? cause.isPassing : toAppError(cause)?.code === 'dataFolderInUse';
      if (!isPassing || performance.now() > giveUpMs) throw cause;
      await setTimeout(waitMs);
    }
  }
}

import { AgentRefused, connectAgent, type CofferClient } from '../main/agent/agent-client.ts';
import { knownAddress } from '../main/agent/address.ts';
import { toAppError } from '../shared/app-failure.ts';
import type { DoneBy } from './context.ts';
import { Usage } from './errors.ts';
import { exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { commandTexts as texts } from './texts.ts';

/** So long another may hold the data folder without answering: it is starting, or ending. */
const longestWaitMs = 30_000;
const waitMs = 50;

export interface OpenedCoffer {
  readonly coffer: CofferClient;
  readonly doneBy: DoneBy;
  /** Aborted when the app starts, and waits for the data folder that this command works over. */
  readonly makeWay: AbortSignal;
}

const never = new AbortController().signal;

/**
 * The running app, or whichever command has the data folder; where nobody has it, this command does the work itself.
 * An address and a token in the environment stand for themselves, as on build machines: nothing is kept of them.
 * @throws Usage when one of the two is missing: what was meant for that service must not go to one of the person's own
 * @throws AgentRefused, AppFailure dataFolderInUse when somebody holds the folder and does not answer
 */
export async function openCoffer(
  userDataFolder: string,
  version: string,
  io: CommandIo,
): Promise<OpenedCoffer> {
  const { COFFER_ADDRESS: address, COFFER_TOKEN: token } = io.env;
  if (address && !token) throw new Usage(texts.noTokenBesideAddress, exitCodes.token);
  if (token && !address) throw new Usage(texts.noAddressBesideToken);
  if (address && token) {
    const { openTemporaryEngine } = await import('./own-engine.ts');
    const coffer = await openTemporaryEngine({ address, token }, version, io);
    return { coffer, doneBy: 'thisCommand', makeWay: never };
  }
  const giveUpMs = io.clock.monotonicMs() + longestWaitMs;
  for (;;) {
    try {
      const address = knownAddress(userDataFolder);
      const running = address === null ? null : await connectAgent(address, version);
      if (running) return { coffer: running, doneBy: running.isApp ? 'app' : 'otherCommand', makeWay: never };
      // Everything that works over the list is loaded only where it is needed: a question to the app is answered much sooner.
      const { openOwnEngine } = await import('./own-engine.ts');
      return { ...(await openOwnEngine(userDataFolder, version, io)), doneBy: 'thisCommand' };
    } catch (cause) {
      const isPassing =
        cause instanceof AgentRefused ? cause.isPassing : toAppError(cause)?.code === 'dataFolderInUse';
      if (!isPassing || io.clock.monotonicMs() > giveUpMs) throw cause;
      await io.clock.delay(waitMs);
    }
  }
}

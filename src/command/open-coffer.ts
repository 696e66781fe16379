import { AgentRefused, AgentSilent, connectAgent, type CofferClient } from '../main/agent/agent-client.ts';
import { knownAddress } from '../main/agent/address.ts';
import { toAppError } from '../shared/app-failure.ts';
import type { DoneBy } from './context.ts';
import { Usage } from './errors.ts';
import { exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import { commandTexts as texts } from './texts.ts';

/** How long a process that holds the data folder may fail to answer: it may be starting or ending. */
const longestWaitMs = 30_000;
const waitMs = 50;

export interface OpenedCoffer {
  readonly coffer: CofferClient;
  readonly doneBy: DoneBy;
  /** Aborted when the app starts and waits for the data folder that this command holds. */
  readonly makeWay: AbortSignal;
}

const never = new AbortController().signal;

/**
 * Connects to the process that holds the data folder (the app or another command); without one, opens an engine in this process.
 * COFFER_ADDRESS and COFFER_TOKEN select a temporary engine instead, as on build machines, of which nothing is stored.
 * @throws Usage when only one of the two is set: the command must not fall back to one of the person's own services
 * @throws AgentRefused, AgentSilent, AppFailure dataFolderInUse when another process holds the folder and does not answer
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
      // Loaded only when needed: a command that asks the app starts much faster without the engine.
      const { openOwnEngine } = await import('./own-engine.ts');
      return { ...(await openOwnEngine(userDataFolder, version, io)), doneBy: 'thisCommand' };
    } catch (cause) {
      const isPassing =
        cause instanceof AgentRefused
          ? cause.isPassing
          : cause instanceof AgentSilent || toAppError(cause)?.code === 'dataFolderInUse';
      if (!isPassing || io.clock.monotonicMs() > giveUpMs) throw cause;
      await io.clock.delay(waitMs);
    }
  }
}

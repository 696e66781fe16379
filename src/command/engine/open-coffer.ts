import { AgentRefused, AgentSilent, connectAgent, type CofferClient } from '../../main/agent/agent-client.ts';
import { knownAddress } from '../../main/agent/address.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { DoneBy } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import type { CommandIo } from '../terminal/io.ts';
import type { Account, TemporaryEngine } from './temporary-engine.ts';
import { commandTexts as texts } from '../texts.ts';

/** How long to wait for a process that holds the data folder to answer, in ms: it may be starting or ending. */
const longestWaitMs = 30_000;
const waitMs = 50;

export interface OpenedCoffer {
  readonly coffer: CofferClient;
  readonly doneBy: DoneBy;
  /** Aborted when the app starts and waits for the data folder that this command holds. */
  readonly makeWay: AbortSignal;
  /** The temporary engine's folder, where an unfinished Replace stays; null: there is a stored list. */
  readonly temporaryFolder: string | null;
}

const never = new AbortController().signal;

/** Another command holds the data folder. It may be about to end. */
class OtherCommandHolds extends Usage {
  constructor() {
    super(texts.otherCommandHolds, exitCodes.tryLater);
  }
}

/**
 * Connects to the process that holds the data folder (the app or another command); without one, opens an engine in this process.
 * COFFER_ADDRESS and COFFER_TOKEN select a temporary engine instead, as on build machines, which stores nothing.
 * @param withoutOther waits for another command to end, until it is aborted
 * @throws Usage when only one of the two is set: the command must not fall back to one of the person's own services
 * @throws AgentRefused, AgentSilent, AppFailure dataFolderInUse when another process holds the folder and does not answer
 */
export async function openCoffer(
  userDataFolder: string,
  version: string,
  io: CommandIo,
  withoutOther?: AbortSignal,
): Promise<OpenedCoffer> {
  const account = accountOf(io);
  if (account) {
    const { openTemporaryEngine } = await import('./temporary-engine.ts');
    return opened(await openTemporaryEngine(account, version, io));
  }
  const giveUpMs = io.clock.monotonicMs() + longestWaitMs;
  for (;;) {
    try {
      const address = knownAddress(userDataFolder);
      const running = address === null ? null : await connectAgent(address, version);
      const temporaryFolder = null;
      if (running && !running.isApp && withoutOther) {
        await running.close();
        throw new OtherCommandHolds();
      }
      if (running)
        return {
          coffer: running,
          doneBy: running.isApp ? 'app' : 'otherCommand',
          makeWay: never,
          temporaryFolder,
        };
      // Loaded only when needed: a command that asks the app starts much faster without the engine.
      const { openOwnEngine } = await import('./own-engine.ts');
      return {
        ...(await openOwnEngine(userDataFolder, version, io)),
        doneBy: 'thisCommand',
        temporaryFolder,
      };
    } catch (cause) {
      const isPassing =
        cause instanceof AgentRefused
          ? cause.isPassing
          : cause instanceof AgentSilent ||
            cause instanceof OtherCommandHolds ||
            toAppError(cause)?.code === 'dataFolderInUse';
      if (!isPassing || io.clock.monotonicMs() > giveUpMs) throw cause;
      await io.clock.delay(waitMs, withoutOther);
    }
  }
}

/** Opens the folder of a Replace that an earlier command could not finish. @throws Usage */
export async function recoverCoffer(folder: string, version: string, io: CommandIo): Promise<OpenedCoffer> {
  const account = accountOf(io);
  if (!account) throw new Usage(texts.recoverNeedsAccount);
  const { reopenTemporaryEngine } = await import('./temporary-engine.ts');
  return opened(await reopenTemporaryEngine(folder, account, version, io));
}

function opened({ coffer, folder }: TemporaryEngine): OpenedCoffer {
  return { coffer, doneBy: 'thisCommand', makeWay: never, temporaryFolder: folder };
}

/** From the environment; null: neither is set. @throws Usage */
function accountOf({ env: { COFFER_ADDRESS: address, COFFER_TOKEN: token } }: CommandIo): Account | null {
  if (address && !token) throw new Usage(texts.noTokenBesideAddress, exitCodes.token);
  if (token && !address) throw new Usage(texts.noAddressBesideToken);
  return address && token ? { address, token } : null;
}

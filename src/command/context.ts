import type { CofferClient } from '../main/agent/agent-client.ts';
import type { Output as Answer } from '../shared/contract.ts';
import type { Service } from '../shared/domain/service.ts';
import { Usage } from './errors/errors.ts';
import { exitCodes } from './errors/exit-code.ts';
import type { CommandIo } from './terminal/io.ts';
import type { Output } from './terminal/output.ts';
import { commandTexts as texts } from './texts.ts';

/** How long an interrupted command without a stored list may take to finish a Replace or restore the old bytes, in ms. */
export const settleMs = 10_000;

/** Which process does the work: the running app, another command that holds the data folder, or this command. */
export type DoneBy = 'app' | 'otherCommand' | 'thisCommand';

export interface Context {
  readonly io: CommandIo;
  readonly coffer: CofferClient;
  readonly output: Output;
  /** false: the list is temporary and is lost when the command ends. */
  readonly hasList: boolean;
  /** Without a stored list: the folder that an unfinished Replace stays in. */
  readonly temporaryFolder: string | null;
  /** The app continues the work after the command ends; a command does not. */
  readonly doneBy: DoneBy;
  /** Aborted when the app starts and waits for the data folder. The app continues what has begun. */
  readonly makeWay: AbortSignal;
  /** The app's user data folder. */
  readonly dataFolder: string;
  /** Aborted by any of `endingSignals`, such as SIGINT (Ctrl+C). */
  readonly interrupted: AbortSignal;
  /** Removes the signal handlers: `interrupted` is not aborted by signals until the returned function installs them again. */
  readonly leaveSignals: () => () => void;
  /** How long to wait for a service that is not reachable. */
  readonly waitMs: number;
  /** How long to wait for a secret that the service does not have: only if the person said so. */
  readonly absentMs: number;
  /** The service chosen by `--service` or by default. @throws Usage */
  service(): Promise<Service>;
  /**
   * Opens Coffer again, once no other command holds the data folder, and closes this one: only the app or this command itself does what is
   * left. @throws Usage if the other command does not end
   */
  withoutOther(): Promise<Context>;
}

/** COFFER_ADDRESS and COFFER_TOKEN together select a temporary engine without a stored list. */
export function hasStoredList({ env }: CommandIo): boolean {
  return !env['COFFER_ADDRESS'] || !env['COFFER_TOKEN'];
}

/** @param wait seconds */
export type Waiting = { readonly wait?: number | undefined };

/** A command. Returns its exit code; `coffer run` returns that of the program. */
export type Run = (context: Context) => Promise<number>;

/** A command that does not need Coffer, or opens it itself. */
export type RunAlone = (
  context: Pick<Context, 'io' | 'output' | 'dataFolder' | 'interrupted' | 'leaveSignals'> & {
    /** This command's version. */
    readonly version: string;
    /**
     * Opens Coffer, runs a command and closes Coffer; may be called repeatedly. Prints temporary failures and returns only their exit
     * code. @param waitSeconds of `--wait` @throws Usage
     */
    readonly attempt: (run: Run, waitSeconds?: number) => Promise<number>;
  },
) => Promise<number>;

/**
 * @param name value of `--service`, a name or an id; by default the only service, or the active one in the app
 * @throws Usage
 */
export function chooseService({ services, activeId }: Answer<'services.list'>, name?: string): Service {
  if (services.length === 0) throw new Usage(texts.noService, exitCodes.notFound);
  const known = services.map((service) => service.name).join(', ');
  if (name !== undefined) {
    const found = services.find((service) => service.name === name) ?? services.find(({ id }) => id === name);
    if (!found) throw new Usage(texts.unknownService({ name, known }), exitCodes.notFound);
    return found;
  }
  const active = services.length === 1 ? services[0] : services.find(({ id }) => id === activeId);
  if (!active) throw new Usage(texts.severalServices({ known }));
  return active;
}

import type { CofferClient } from '../main/agent/agent-client.ts';
import type { Output as Answer } from '../shared/contract.ts';
import type { Service } from '../shared/domain/service.ts';
import { Usage } from './errors.ts';
import { exitCodes } from './exit-code.ts';
import type { CommandIo } from './io.ts';
import type { Output } from './output.ts';
import { commandTexts as texts } from './texts.ts';

/** Who does the work: the running app, another command that has the data folder, or this one. */
export type DoneBy = 'app' | 'otherCommand' | 'thisCommand';

/** What a command works with. */
export interface Context {
  readonly io: CommandIo;
  readonly coffer: CofferClient;
  readonly output: Output;
  /** false: the list is in memory and goes with the command. */
  readonly isKept: boolean;
  /** The app goes on with it when the command has ended; a command takes what is left with it. */
  readonly doneBy: DoneBy;
  /** Aborted when the app starts, and waits for the data folder: what has begun goes on there. */
  readonly makeWay: AbortSignal;
  /** Of the app's user data. */
  readonly dataFolder: string;
  /** Aborted by Ctrl+C, or when the system asks the command to end. */
  readonly interrupted: AbortSignal;
  /** From here on signals are for somebody else: `interrupted` tells of none any more. */
  readonly leaveSignals: () => void;
  /** So long a service that is away is waited for. */
  readonly waitMs: number;
  /** The service that is meant. @throws Usage */
  service(): Promise<Service>;
}

/** A command: what it answers to the one who started it; `coffer run` answers what its program did. */
export type Run = (context: Context) => Promise<number>;

/** A command that asks nothing of Coffer, or opens it itself. */
export type RunAlone = (
  context: Pick<Context, 'io' | 'output' | 'dataFolder' | 'interrupted' | 'leaveSignals'> & {
    /** Of this command. */
    readonly version: string;
  },
) => Promise<number>;

/** @param name as given with `--service`; without: the one there is, or the one the app shows */
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

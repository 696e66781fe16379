import { InvalidArgumentError } from 'commander';
import type { Run, RunAlone, Waiting } from '../context.ts';
import { helpTexts } from './help-texts.ts';

/** Global options. */
export interface Options {
  readonly service?: string;
  readonly json?: true;
  readonly quiet?: true;
  readonly progress: boolean;
  readonly color: boolean;
  readonly input: boolean;
  readonly userDataDir?: string;
}

/**
 * @param recovers folder of an unfinished Replace, in which to open Coffer
 * @param awaitsInput opens Coffer only when standard input has something
 */
export type Opening = Waiting & {
  readonly recovers?: string | undefined;
  readonly awaitsInput?: boolean;
};

/** Wraps a lazily loaded command as a Commander action. @param given the command's own options */
export type Runs = (load: () => Promise<Run>, given?: Opening) => () => Promise<void>;

/** The same for a command that does not need Coffer, or opens it itself. */
export type RunsAlone = (load: () => Promise<RunAlone>) => () => Promise<void>;

/** Parses an option that may be given several times. */
export const gather = (value: string, before: readonly string[] = []): string[] => [...before, value];

const maxWaitSeconds = 999_999;

/** Parses an option. @throws InvalidArgumentError */
export function toSeconds(given: string): number {
  if (!/^[0-9]{1,6}$/.test(given))
    throw new InvalidArgumentError(helpTexts.notSeconds({ max: maxWaitSeconds }));
  return Number(given);
}

export interface Runner {
  readonly run: (run: Run, options: Options & Opening) => Promise<void>;
  readonly runAlone: (run: RunAlone, options: Options) => Promise<void>;
}

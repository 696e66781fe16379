import type { Run, RunAlone } from './context.ts';

/** Global options. */
export interface Options {
  readonly service?: string;
  readonly json?: true;
  readonly quiet?: true;
  readonly progress: boolean;
  readonly userDataDir?: string;
}

/** @param wait seconds */
export type Waiting = { readonly wait?: number | undefined };

/** @param recovers folder of an unfinished Replace, in which to open Coffer */
export type Opening = Waiting & { readonly recovers?: string | undefined };

/** Wraps a lazily loaded command as a Commander action. @param given the command's own options */
export type Runs = (load: () => Promise<Run>, given?: Opening) => () => Promise<void>;

export interface Runner {
  readonly run: (run: Run, options: Options & Opening) => Promise<void>;
  readonly runAlone: (run: RunAlone, options: Options) => Promise<void>;
}

import type { Run, RunAlone } from './context.ts';

/** Options of every command. */
export interface Options {
  readonly service?: string;
  readonly json?: true;
  readonly quiet?: true;
  readonly progress: boolean;
  readonly userDataDir?: string;
}

/** @param wait in seconds */
export type Waiting = { readonly wait?: number | undefined };

/** What runs an action; `given` has the options of its command. */
export type Runs = (load: () => Promise<Run>, given?: Waiting) => () => Promise<void>;

export interface Runner {
  readonly run: (run: Run, options: Options & Waiting) => Promise<void>;
  readonly runAlone: (run: RunAlone, options: Options) => Promise<void>;
}

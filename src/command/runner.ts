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

/** Wraps a lazily loaded command as a Commander action. @param given the command's own options */
export type Runs = (load: () => Promise<Run>, given?: Waiting) => () => Promise<void>;

export interface Runner {
  readonly run: (run: Run, options: Options & Waiting) => Promise<void>;
  readonly runAlone: (run: RunAlone, options: Options) => Promise<void>;
}

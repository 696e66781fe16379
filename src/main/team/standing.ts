import type { ShownWhy } from './team-problem.ts';

/** Where a service's list stands to the team's: all that others learn of it. */
export type TeamStanding =
  /** Not followed: never started, or stopped. */
  | { readonly kind: 'off' }
  /** Being read for the first time, or areas of it. */
  | { readonly kind: 'filling'; readonly rows: number }
  | { readonly kind: 'live'; readonly leftOut: number }
  /**
   * As it was at a time, by this computer's clock; null: nothing was read since the start. `due` changes wait here.
   * local: this computer cannot write, and the log says why.
   */
  | {
      readonly kind: 'asOf';
      readonly ms: number | null;
      readonly due: number;
      readonly why: 'connecting' | 'local' | ShownWhy;
    }
  /** Nothing is tried any more, as each try may bring the account nearer to being locked. */
  | { readonly kind: 'refused'; readonly why: ShownWhy };

import type { TeamStanding } from '../../shared/domain/team.ts';
import type { TeamWhy } from '../../shared/domain/team-why.ts';

/** Where a loop stands: with how many changes wait here while the server is away. It has a password, or it is not started. */
export type SyncStanding =
  | Exclude<TeamStanding, { kind: 'asOf' | 'refused' }>
  | (Extract<TeamStanding, { kind: 'asOf' }> & { readonly due: number })
  | { readonly kind: 'refused'; readonly why: TeamWhy };

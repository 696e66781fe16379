import type { TeamSyncState } from '../../shared/domain/team.ts';
import type { TeamWhy } from '../../shared/domain/team-why.ts';

/** The standing of a loop, with the number of changes that wait while the server is away. Without a password no loop runs. */
export type SyncState =
  | Exclude<TeamSyncState, { kind: 'asOf' | 'refused' }>
  | (Extract<TeamSyncState, { kind: 'asOf' }> & { readonly due: number })
  | { readonly kind: 'refused'; readonly why: TeamWhy };

import type { AppErrorOf } from '../errors.ts';
import type { TeamSyncState, TeamStatus } from '../domain/team.ts';
import type { ErrorText } from './error-messages.ts';
import { formatTime } from './format.ts';
import { teamMessages as texts } from './team-messages.ts';

type TeamError = AppErrorOf<
  | 'badInvitation'
  | 'teamServer'
  | 'teamPasswordMissing'
  | 'serviceInTeam'
  | 'teamAddressDiffers'
  | 'teamDiffers'
  | 'teamUnshared'
  | 'teamInvite'
  | 'teamCurate'
  | 'teamCreate'
>;

export function teamErrorText(error: TeamError): ErrorText {
  switch (error.code) {
    case 'badInvitation':
      return { title: texts.badInvitation.title, ...texts.badInvitation[error.problem] };
    case 'teamServer':
      return { title: texts.serverTitle({ host: error.host }), ...texts.server[error.why] };
    case 'teamPasswordMissing':
      return { ...texts.passwordMissing, what: texts.passwordMissing.what(error) };
    case 'serviceInTeam': {
      const { title, next } = texts.inTeam;
      return { title, what: texts.inTeam[error.problem](error), next };
    }
    case 'teamAddressDiffers':
      return { ...texts.addressDiffers, what: texts.addressDiffers.what(error) };
    case 'teamDiffers':
      return { ...texts.differs, what: texts.differs.what(error) };
    case 'teamUnshared':
      return { ...texts.unshared, what: texts.unshared.what(error) };
    case 'teamInvite': {
      const { title, [error.problem]: text } = texts.invite;
      const { what, next } = text;
      return { title, what: typeof what === 'string' ? what : what(error), next };
    }
    case 'teamCurate':
      return { title: texts.curate.title, ...texts.curate[error.problem] };
    case 'teamCreate':
      return { title: texts.create.title, ...createText(error) };
  }
}

/** Also used for problems found before creating. */
export function createText({ problem, role, database }: Omit<AppErrorOf<'teamCreate'>, 'code'>): {
  what: string;
  next: string;
} {
  if (problem === 'oldServer') return texts.server.oldServer;
  const { what, next } = texts.create[problem];
  return { what: typeof what === 'string' ? what : what({ role, database }), next };
}

/** Where a team's list stands, in one line: *As of 10:42, 3 changes wait*. */
export function teamStateLine({ syncState, due }: Pick<TeamStatus, 'syncState' | 'due'>): string {
  const state = stateText(syncState);
  return due === 0 ? state : texts.state.due({ count: due, state });
}

function stateText(syncState: TeamSyncState): string {
  const { state } = texts;
  switch (syncState.kind) {
    case 'live':
    case 'off':
      return state[syncState.kind];
    case 'filling':
      return state.filling({ count: syncState.rows });
    case 'asOf':
      if (syncState.ms !== null) return state.asOf({ time: formatTime(syncState.ms) });
      return syncState.why === 'connecting' ? state.connecting : state.notYet;
    case 'refused':
      return syncState.why === 'noPassword' ? state.noPassword : state.refused;
  }
}

/** Why it isn't live, and what to do; null: no problem. */
export function teamTrouble(syncState: TeamSyncState): { what: string; next: string } | null {
  if (syncState.kind !== 'asOf' && syncState.kind !== 'refused') return null;
  const { why } = syncState;
  if (why === 'connecting') return null;
  return why === 'local' || why === 'noPassword' ? texts[why] : texts.server[why];
}

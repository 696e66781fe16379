import type { TeamSyncState } from '../../../shared/domain/team.ts';
import { teamStateLine, teamTrouble } from '../../../shared/i18n/team-text.ts';
import { showSettings } from '../../app/place.ts';
import { useActiveService } from '../../app/stores.ts';
import { teamTexts as texts } from './team-texts.ts';
import { useTeam } from './teams.ts';
import './team.css';

/** In the bottom line: sync status of the active service's list with the team. A click opens its settings. */
export function TeamStatus() {
  const service = useActiveService();
  const team = useTeam(service?.id ?? null);
  if (service === null || team === null) return null;
  const { status, people } = team;
  const state = teamStateLine(status);
  const there = people.filter(({ isEnded }) => !isEnded).length;
  const isLive = status.syncState.kind === 'live';
  const shown =
    isLive && there > 1 ? texts.stateWith({ state, people: texts.people({ count: there }) }) : state;
  const trouble = teamTrouble(status.syncState);
  return (
    <button
      type="button"
      className={`team-status team-status--${toneOf(status.syncState)}`}
      aria-label={texts.status({ state: shown })}
      title={trouble === null ? status.list.name : `${trouble.what} ${trouble.next}`}
      onClick={() => showSettings(texts.listOf({ service: service.name }))}
    >
      <span className="team-dot" />
      <span className="team-status__text">{shown}</span>
    </button>
  );
}

function toneOf(syncState: TeamSyncState): 'ok' | 'wait' | 'bad' | 'idle' {
  switch (syncState.kind) {
    case 'live':
      return 'ok';
    case 'off':
    case 'filling':
      return 'idle';
    case 'asOf':
      return syncState.why === 'connecting' ? 'idle' : 'wait';
    case 'refused':
      return 'bad';
  }
}

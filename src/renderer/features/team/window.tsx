import { uploadTexts } from '../../i18n/upload-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { createTeams, openTeamDialog, type TeamKnown, useTeam } from './teams.ts';
import { useEffect } from 'react';
import { keepFocus } from '../../ui/focus.ts';
import { Way } from '../../ui/Way.tsx';
import { teamTexts } from './team-texts.ts';
import { paletteSetting } from '../../app/palette-entry.ts';
import type { WindowFeature } from '../../app/slots.tsx';
import { useActiveService } from '../../app/stores.ts';
import type { Act } from '../../app/use-act.ts';
import { TeamDialogs } from './TeamDialogs.tsx';
import { TeamFields } from './TeamFields.tsx';
import { TeamSection } from './TeamSection.tsx';
import { TeamStatus } from './TeamStatus.tsx';
import { UnsharedChanges, unsharedOf } from './UnsharedChanges.tsx';

const { team: hints } = uploadTexts;

/** Says whether colleagues will see the objects. Below the classification, which with the folder decides who does. */
function TeamHint({ serviceId }: { serviceId: string }) {
  const team = useTeam(serviceId);
  if (team === null) return null;
  const { syncState, list } = team.status;
  if (syncState.kind === 'refused' && !isMendedBySignIn(syncState.why)) return null;
  return (
    <p className="sheet__hint sheet__team">
      <Icon name="eye" size={12} />
      <span>{textOf(team.status)({ list: list.name })}</span>
    </p>
  );
}

/** Otherwise it is not known whether anything will be shared: a former member shares nothing. */
const isMendedBySignIn = (why: string) => why === 'login' || why === 'noPassword';

function textOf({ syncState, mayContribute }: TeamKnown['status']) {
  if (!mayContribute) return hints.reader;
  return syncState.kind === 'refused' ? hints.later : hints.shared;
}

/** The list that a team shares. */
export const team: WindowFeature = {
  stores: [createTeams],
  slots: {
    statusEnd: TeamStatus,
    windowDialogs: TeamDialogs,
    emptyList: JoinWay,
    details: TeamFields,
    uploadHint: TeamHint,
    removeStart: RemoveUnshared,
    settingsOfServices: TeamSection,
  },
  facts: { sharedWith: useColleagues, unshared: useUnshared, palette: usePaletteSetting },
};

/** On the empty list of a service without a team. */
function JoinWay({ serviceId }: { serviceId: string }) {
  const isAlone = useTeam(serviceId) === null;
  // Joining unmounts the button that had the focus.
  useEffect(() => keepFocus, [isAlone]);
  if (!isAlone) return null;
  return (
    <Way
      icon="people"
      name={teamTexts.join}
      text={teamTexts.joinText}
      onPress={() => openTeamDialog('join', serviceId)}
    />
  );
}

function RemoveUnshared({ serviceId, act }: { serviceId: string; act: Act }) {
  const known = useTeam(serviceId);
  return known && <UnsharedChanges serviceId={serviceId} team={known.status} act={act} />;
}

/** Two people may share a name, by which the objects of both are found. */
function useColleagues(serviceId: string | null) {
  const known = useTeam(serviceId);
  if (known === null) return null;
  const others = known.people.filter(({ id }) => id !== known.status.me);
  return [...new Set(others.map(({ shown }) => shown))];
}

function useUnshared(serviceId: string) {
  const known = useTeam(serviceId);
  return known === null ? 0 : unsharedOf(known.status);
}

function usePaletteSetting() {
  const service = useActiveService();
  if (service === null || service.isLocal) return {};
  const { title, listOf, words } = teamTexts;
  return { settingsOfService: [paletteSetting(title, listOf({ service: service.name }), '', words)] };
}

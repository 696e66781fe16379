import type { TeamStatus } from '../../../shared/domain/team.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useTeam } from './teams.ts';

const { team: texts } = uploadTexts;

/** Says whether colleagues will see the objects. Below the classification, which with the folder decides who does. */
export function TeamHint({ serviceId }: { serviceId: string }) {
  const team = useTeam(serviceId);
  if (team === null) return null;
  const { standing, list } = team.status;
  if (standing.kind === 'refused' && !isMendedBySignIn(standing.why)) return null;
  return (
    <p className="sheet__hint sheet__team">
      <Icon name="eye" size={12} />
      <span>{textOf(team.status)({ list: list.name })}</span>
    </p>
  );
}

/** Otherwise it is not known whether anything will be shared: a former member shares nothing. */
const isMendedBySignIn = (why: string) => why === 'login' || why === 'noPassword';

function textOf({ standing, mayContribute }: TeamStatus) {
  if (!mayContribute) return texts.reader;
  return standing.kind === 'refused' ? texts.later : texts.shared;
}

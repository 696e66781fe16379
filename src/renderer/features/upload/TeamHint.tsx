import { useTeam } from '../../app/stores.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { Icon } from '../../ui/Icon.tsx';

/** Below the classification, which decides with the folder who sees the objects: that colleagues will. */
export function TeamHint({ serviceId }: { serviceId: string }) {
  const team = useTeam(serviceId);
  // A team that refuses this person gets nothing of theirs.
  if (team === null || team.status.standing.kind === 'refused') return null;
  return (
    <p className="sheet__hint sheet__team">
      <Icon name="eye" size={12} />
      <span>{texts.team({ list: team.status.list.name })}</span>
    </p>
  );
}

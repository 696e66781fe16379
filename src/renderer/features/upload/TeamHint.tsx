import { useTeam } from '../../app/stores.ts';
import { uploadTexts as texts } from '../../i18n/upload-texts.ts';
import { Icon } from '../../ui/Icon.tsx';

/** Says that colleagues will see the objects. Below the classification, which with the folder decides who does. */
export function TeamHint({ serviceId }: { serviceId: string }) {
  const team = useTeam(serviceId);
  if (team === null) return null;
  const { standing } = team.status;
  // A former member shares nothing. After any other refusal the uploads wait, and appear later.
  if (standing.kind === 'refused' && standing.why === 'ended') return null;
  return (
    <p className="sheet__hint sheet__team">
      <Icon name="eye" size={12} />
      <span>{texts.team({ list: team.status.list.name })}</span>
    </p>
  );
}

import type { TeamStatus } from '../../shared/domain/team.ts';
import { teamTexts } from '../i18n/team-texts.ts';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useClient } from './client.ts';
import type { Act } from './use-act.ts';
import './unshared-changes.css';

const texts = teamTexts.goodbye;

/** What the team does not have of this computer: waiting, or refused. */
export const unsharedOf = ({ due, setAside }: TeamStatus): number => due + setAside;

/** Names what the team would never get, with a way to share it first. Nothing where the team has all. */
export function UnsharedChanges(props: { serviceId: string; team: TeamStatus; act: Act }) {
  const { serviceId, team, act } = props;
  const client = useClient();
  const count = unsharedOf(team);
  if (count === 0) return null;
  const share = () => void act.run(async () => void (await client.call('team.sync', { serviceId })));
  return (
    <div className="unshared">
      <Icon name="warn" />
      <p>{texts.unshared({ count })}</p>
      {team.due > 0 && (
        <Button kind="line" size="small" isPending={act.isRunning} onPress={share}>
          {texts.shareFirst}
        </Button>
      )}
    </div>
  );
}

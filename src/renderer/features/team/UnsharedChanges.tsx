import type { TeamStatus } from '../../../shared/domain/team.ts';
import { teamTexts } from './team-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useClient } from '../../app/client.ts';
import type { Act } from '../../app/use-act.ts';
import './unshared-changes.css';

const texts = teamTexts.goodbye;

/** Number of local changes that the team does not have: waiting or refused. */
export const unsharedOf = ({ due, setAside }: TeamStatus): number => due + setAside;

/** Warns about changes that the team would never get, and offers to share them first. Nothing if there are none. */
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

import { useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import type { TeamStatus } from '../../../shared/domain/team.ts';
import { teamKeeps, type TeamKeep } from '../../../shared/domain/team-choices.ts';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { UnsharedChanges, unsharedOf } from './UnsharedChanges.tsx';
import { useAct } from '../../app/use-act.ts';
import { teamTexts } from './team-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { ChoiceList } from '../../ui/Choice.tsx';

const texts = teamTexts.goodbye;

type Props = { service: Service; team: TeamStatus; onClose: () => void };

/** Says what was not shared yet, and asks which of the team's objects to keep. The focus is on Cancel. */
export function LeaveDialog({ service: { id: serviceId }, team, onClose }: Props) {
  const client = useClient();
  const act = useAct();
  const [keep, setKeep] = useState<TeamKeep>('own');
  const unshared = unsharedOf(team);
  const list = team.list.name;
  async function leave() {
    // `ask`: main rejects if changes became due while this dialog was open.
    await client.call('team.leave', { serviceId, keep, unshared: unshared > 0 ? 'drop' : 'ask' });
    announce(texts.done({ list }), 'polite');
  }
  return (
    <ConfirmDialog
      title={texts.title({ list })}
      button={unshared > 0 ? texts.buttonUnshared : texts.button}
      act={act}
      run={leave}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      <UnsharedChanges serviceId={serviceId} team={team} act={act} />
      <ChoiceList
        label={texts.question}
        value={keep}
        choices={teamKeeps.map((value) => ({
          value,
          label: texts.keep[value],
          text: texts.keepText[value],
        }))}
        onChange={setKeep}
      />
    </ConfirmDialog>
  );
}

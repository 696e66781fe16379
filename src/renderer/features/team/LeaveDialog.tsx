import { useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import type { TeamStatus } from '../../../shared/domain/team.ts';
import { teamKeeps, type TeamKeep } from '../../../shared/domain/team-choices.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { useClient } from '../../app/client.ts';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { teamTexts } from '../../i18n/team-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { ChoiceList } from '../../ui/Choice.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus-here.ts';
import { Icon } from '../../ui/Icon.tsx';

const texts = teamTexts.goodbye;

type Props = { service: Service; team: TeamStatus; onClose: () => void };

/** Names what was not shared yet, and asks what of the team's list stays here. The focus is on Cancel. */
export function LeaveDialog({ service, team, onClose }: Props) {
  const client = useClient();
  const act = useAct();
  const [keep, setKeep] = useState<TeamKeep>('own');
  const { due, setAside, list } = team;
  const unshared = due + setAside;
  const serviceId = service.id;
  const share = () => void act.run(async () => void (await client.call('team.sync', { serviceId })));
  const leave = () =>
    void act.run(async () => {
      // What becomes due between the question and the answer is asked about again.
      await client.call('team.leave', { serviceId, keep, unshared: unshared > 0 ? 'drop' : 'ask' });
      announce(texts.done({ list: list.name }), 'polite');
      onClose();
    });
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={texts.title({ list: list.name })}
      buttons={
        <>
          <Button size="large" {...focusHere} onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button kind="fatal" size="large" isDisabled={act.isRunning} onPress={leave}>
            {unshared > 0 ? texts.buttonUnshared : texts.button}
          </Button>
        </>
      }
    >
      <p>{texts.text}</p>
      {unshared > 0 && (
        <div className="team-unshared">
          <Icon name="warn" />
          <p>{texts.unshared({ count: unshared })}</p>
          {due > 0 && (
            <Button kind="line" size="small" isDisabled={act.isRunning} onPress={share}>
              {texts.shareFirst}
            </Button>
          )}
        </div>
      )}
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
      {act.error !== null && <ErrorNote {...errorText(act.error)} />}
    </AlertDialog>
  );
}

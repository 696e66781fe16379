import { useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useTeam } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { curateTexts } from '../../i18n/curate-texts.ts';
import { MadeInvitation } from './MadeInvitation.tsx';

const texts = curateTexts.computer;

/** An invitation for this person's other computer. It is made when asked for, as it is worth something for long. */
export function ComputerDialog({ service, onClose }: { service: Service; onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  const team = useTeam(service.id);
  const [made, setMade] = useState<Output<'team.inviteComputer'> | null>(null);
  const me = team?.people.find(({ id }) => id === team.status.me)?.shown ?? team?.status.server.role ?? '';
  const make = () =>
    void act.run(async () => {
      setMade(await client.call('team.inviteComputer', { serviceId: service.id }));
    });
  return (
    <FormDialog
      title={texts.title}
      place={service.name}
      size="medium"
      act={act}
      {...(made !== null && { say: curateTexts.made.shownOnce, back: null })}
      button={
        made === null
          ? { key: 'make', label: texts.make, onPress: make }
          : { key: 'done', label: curateTexts.made.done, onPress: onClose }
      }
      onClose={onClose}
    >
      <p>{texts.text}</p>
      {made !== null && <MadeInvitation name={me} {...made} isLasting />}
    </FormDialog>
  );
}

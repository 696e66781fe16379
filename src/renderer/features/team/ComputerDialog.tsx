import { useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useAct } from '../../app/use-act.ts';
import { curateTexts } from './curate-texts.ts';
import { keepFocus } from '../../ui/focus.ts';
import { useFocusReturn } from '../../ui/use-focus-return.ts';
import { MadeInvitation } from './MadeInvitation.tsx';
import { useTeam } from './teams.ts';

const texts = curateTexts.computer;

/** An invitation for this person's other computer. Made only on request, because it contains a lasting password. */
export function ComputerDialog({ service, onClose }: { service: Service; onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  useFocusReturn(keepFocus);
  const team = useTeam(service.id);
  const [made, setMade] = useState<Output<'team.inviteComputer'> | null>(null);
  const me = team?.people.find(({ id }) => id === team.status.me)?.shown ?? team?.status.server.role ?? '';
  const make = () =>
    void act.run(async () => {
      setMade(await client.call('team.inviteComputer', { serviceId: service.id }));
    });
  if (made !== null)
    return <MadeInvitation service={service} name={me} {...made} isLasting onClose={onClose} />;
  return (
    <FormDialog
      title={texts.title}
      place={service.name}
      size="medium"
      act={act}
      button={{ key: 'make', label: texts.make, onPress: make }}
      onClose={onClose}
    >
      <p>{texts.text}</p>
    </FormDialog>
  );
}

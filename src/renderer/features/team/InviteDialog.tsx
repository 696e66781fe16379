import { useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { TeamMay } from '../../../shared/domain/team-choices.ts';
import { useClient } from '../../app/client.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useAct } from '../../app/use-act.ts';
import { curateTexts } from './curate-texts.ts';
import { keepFocus } from '../../ui/focus.ts';
import { Select } from '../../ui/Select.tsx';
import { useFocusReturn } from '../../ui/use-focus-return.ts';
import { MadeInvitation } from './MadeInvitation.tsx';
import { wholeOptions } from './may-options.ts';
import { PersonFields } from './PersonFields.tsx';
import type { PartProps } from './use-curation.ts';

const texts = curateTexts.invite;

/** Asks for the name, role and access of a new person, then shows the invitation. */
export function InviteDialog({ service, refresh, onClose }: PartProps & { onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  useFocusReturn(keepFocus);
  const [person, setPerson] = useState({ shown: '', role: '' });
  const [may, setMay] = useState<TeamMay>('contribute');
  const [made, setMade] = useState<Output<'team.invite'> | null>(null);
  const name = person.shown.trim();
  const role = person.role.trim();
  const invite = () =>
    void act.run(async () => {
      setMade(await client.call('team.invite', { serviceId: service.id, role, shown: name, may }));
      await refresh();
    });
  if (made !== null) return <MadeInvitation service={service} name={name} {...made} onClose={onClose} />;
  return (
    <FormDialog
      title={texts.title}
      place={service.name}
      size="medium"
      act={act}
      isHeld
      button={{
        key: 'invite',
        label: texts.button,
        isReady: name !== '' && role !== '',
        needs: texts.needsBoth,
        onPress: invite,
      }}
      onClose={onClose}
    >
      <PersonFields
        label={texts.name}
        roleHint={texts.roleHint}
        person={person}
        change={(part) => setPerson({ ...person, ...part })}
      />
      <Select
        label={texts.may}
        value={may}
        options={wholeOptions().flatMap(({ value, ...words }) =>
          value === 'none' ? [] : [{ value, ...words }],
        )}
        onChange={setMay}
      />
    </FormDialog>
  );
}

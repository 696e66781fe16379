import { useState } from 'react';
import type { Output } from '../../../shared/contract.ts';
import type { TeamMay } from '../../../shared/domain/team-choices.ts';
import { useClient } from '../../app/client.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useAct } from '../../app/use-act.ts';
import { curateTexts } from '../../i18n/curate-texts.ts';
import { TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus-here.ts';
import { Select } from '../../ui/Select.tsx';
import { MadeInvitation } from './MadeInvitation.tsx';
import { wholeOptions } from './may-options.ts';
import type { PartProps } from './use-curation.ts';

const texts = curateTexts.invite;

/** Who, as which role, and what they may do; then the invitation. */
export function InviteDialog({ service, refresh, onClose }: PartProps & { onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  const [shown, setShown] = useState('');
  const [role, setRole] = useState('');
  const [may, setMay] = useState<TeamMay>('contribute');
  const [made, setMade] = useState<Output<'team.invite'> | null>(null);
  const name = shown.trim();
  const invite = () =>
    void act.run(async () => {
      setMade(
        await client.call('team.invite', { serviceId: service.id, role: role.trim(), shown: name, may }),
      );
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
        isReady: name !== '' && role.trim() !== '',
        onPress: invite,
      }}
      onClose={onClose}
    >
      <TextField
        {...focusHere}
        label={texts.name}
        hint={texts.nameHint}
        maxLength={80}
        value={shown}
        onChange={setShown}
      />
      <TextField
        isCode
        label={texts.role}
        hint={texts.roleHint}
        spellCheck="false"
        maxLength={63}
        value={role}
        onChange={setRole}
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

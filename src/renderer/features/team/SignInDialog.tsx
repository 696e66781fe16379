import { useState } from 'react';
import type { Service } from '../../../shared/domain/service.ts';
import type { TeamStatus } from '../../../shared/domain/team.ts';
import { useClient } from '../../app/client.ts';
import { FormDialog } from '../../app/FormDialog.tsx';
import { useAct } from '../../app/use-act.ts';
import { teamTexts } from './team-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { SegmentedField } from '../../ui/Choice.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { emptyForm, invitationOf, type AccessForm } from './access-form.ts';
import { Invitation, Password } from './AccessFields.tsx';
import { useInvitation } from './use-invitation.ts';

const { access, again: texts } = teamTexts;

/** `typed`: a password instead of an invitation. */
type Form = Pick<AccessForm, 'kind' | 'invitation' | 'password' | 'passphrase'>;

type Props = { service: Service; team: TeamStatus; onClose: () => void };

/** A new invitation or password for a joined team, with the same server and role. */
export function SignInDialog({ service, team, onClose }: Props) {
  const client = useClient();
  const act = useAct();
  const { server, list } = team;
  const [form, setForm] = useState<Form>(emptyForm);
  const { kind, password, passphrase } = form;
  const invitation = useInvitation(invitationOf(form));
  const isReady = kind === 'typed' ? password !== '' : invitation.says?.hasPassword === true;
  const change = (part: Partial<Form>) => {
    setForm((before) => ({ ...before, ...part }));
    act.clear();
  };
  const signIn = () =>
    void act.run(async () => {
      await client.call('team.signIn', {
        serviceId: service.id,
        proof:
          kind === 'typed'
            ? { kind: 'password', teamPassword: password }
            : { kind: 'invitation', invitation: invitationOf(form) },
        ...(passphrase !== '' && { passphrase }),
      });
      announce(texts.done({ list: list.name }), 'polite');
      onClose();
    });
  return (
    <FormDialog
      title={texts.title}
      place={service.name}
      say={texts.say}
      act={act}
      button={{
        label: texts.button,
        isReady,
        needs: access.needs[needOf(kind, invitation.says !== null)],
        onPress: signIn,
      }}
      onClose={onClose}
    >
      <p>{texts.where({ host: server.host, role: server.role })}</p>
      <div className="form">
        <SegmentedField
          labelPlace="beside"
          label={texts.by}
          value={kind}
          choices={[
            { value: 'invitation', label: access.invitation },
            { value: 'typed', label: access.password },
          ]}
          onChange={(to) => change({ kind: to })}
        />
        {kind === 'typed' ? (
          <Password form={form} change={change} />
        ) : (
          <Invitation form={form} invitation={invitation} change={change} />
        )}
        <PasswordField
          label={access.passphrase}
          labelPlace="beside"
          value={passphrase}
          onChange={(text) => change({ passphrase: text })}
          maxLength={1024}
          eye={access.eye}
          hint={texts.passphraseHint}
        />
      </div>
    </FormDialog>
  );
}

function needOf(kind: Form['kind'], isRead: boolean) {
  if (kind === 'typed') return 'password';
  return isRead ? 'noPassword' : 'invitation';
}

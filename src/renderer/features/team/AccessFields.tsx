import type { Output } from '../../../shared/contract.ts';
import { inOneLine } from '../../../shared/domain/legible.ts';
import { invitationMax } from '../../../shared/domain/team-choices.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { teamTexts } from './team-texts.ts';
import { SegmentedField } from '../../ui/Choice.tsx';
import { NumberField, PasswordField, TextAreaField, TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import { ChosenFile } from '../connect/ChosenFile.tsx';
import { asksPassword, type AccessForm } from './access-form.ts';
import type { useInvitation } from './use-invitation.ts';

const texts = teamTexts.access;

type Props = {
  form: AccessForm;
  invitation: ReturnType<typeof useInvitation>;
  change: (part: Partial<AccessForm>) => void;
  /** The owner of a database has no invitation to it. */
  isOwner?: boolean;
};

/** Access to a team's server: an invitation, or all settings entered by hand. */
export function AccessFields({ form, invitation, change, isOwner = false }: Props) {
  const client = useClient();
  const choose = (purpose: 'authority' | 'clientCertificate') =>
    sayFailure(
      client.call('files.chooseOne', { purpose }).then((chosen) => {
        if (chosen !== null) change({ [purpose]: { kind: 'grant', ...chosen } });
      }),
    );
  const isTyped = form.kind === 'typed';
  const { says } = invitation;
  return (
    <div className="form">
      {!isOwner && (
        <SegmentedField
          labelPlace="beside"
          label={texts.by}
          value={form.kind}
          choices={[
            { value: 'invitation', label: texts.kinds.invitation },
            { value: 'typed', label: texts.kinds.typed },
          ]}
          onChange={(kind) => change({ kind })}
        />
      )}
      {isTyped ? (
        <TypedFields
          form={form}
          change={change}
          beginsHere={isOwner}
          onChooseAuthority={() => choose('authority')}
        />
      ) : (
        <Invitation form={form} invitation={invitation} change={change} />
      )}
      {asksPassword(form, says) && <Password form={form} change={change} isKept={!isOwner} />}
      {(isTyped || says !== null) && (
        <>
          <ChosenFile
            field="clientCertificate"
            label={texts.clientCertificate}
            chosen={form.clientCertificate}
            none={texts.none}
            icon="cert"
            onChoose={() => choose('clientCertificate')}
            onClear={() => change({ clientCertificate: { kind: 'none' }, passphrase: '' })}
          />
          {form.clientCertificate.kind === 'grant' && (
            <PasswordField
              label={texts.passphrase}
              labelPlace="beside"
              value={form.passphrase}
              onChange={(passphrase) => change({ passphrase })}
              maxLength={1024}
              eye={texts.eye}
            />
          )}
        </>
      )}
    </div>
  );
}

/** The field for an invitation, and its contents. */
export function Invitation(props: {
  form: Pick<AccessForm, 'invitation'>;
  invitation: Props['invitation'];
  change: (part: Pick<AccessForm, 'invitation'>) => void;
}) {
  const { form, invitation, change } = props;
  const { says, error } = invitation;
  const problem = error === null ? undefined : errorText(error);
  return (
    <>
      <TextAreaField
        {...focusHere}
        isCode
        className="team-join__invitation"
        label={texts.invitation}
        labelPlace="beside"
        rows={4}
        spellCheck="false"
        autoComplete="off"
        maxLength={invitationMax}
        value={form.invitation}
        onChange={(text) => change({ invitation: text })}
        hint={says === null ? texts.invitationHint : undefined}
        problem={problem && [problem.what, problem.next].filter(Boolean).join(' ')}
      />
      {says !== null && <Facts says={says} />}
    </>
  );
}

/** The connection settings from the invitation. */
function Facts({ says }: { says: Output<'team.readInvitation'> }) {
  const { server, from, authority, hasPassword } = says;
  return (
    <div className="form__row team-join__read">
      <p className="form__below team-join__okay">
        <Icon name="okay" />
        {from === null ? texts.unsigned : texts.from({ name: from })}
      </p>
      <dl className="team-facts">
        <dt>{texts.host}</dt>
        <dd>
          <bdi>{texts.place({ host: server.host, port: String(server.port) })}</bdi>
        </dd>
        <dt>{texts.database}</dt>
        <dd>
          <bdi>{inOneLine(server.database)}</bdi>
        </dd>
        <dt>{texts.role}</dt>
        <dd>
          <bdi>{inOneLine(server.role)}</bdi>
        </dd>
        <dt>{texts.password}</dt>
        <dd>{hasPassword ? texts.passwordReplaced : texts.passwordKnown}</dd>
        <dt>{texts.authority}</dt>
        <dd>
          <bdi>{authority === null ? texts.system : inOneLine(authority)}</bdi>
        </dd>
      </dl>
    </div>
  );
}

function TypedFields(
  props: Pick<Props, 'form' | 'change'> & { beginsHere: boolean; onChooseAuthority: () => void },
) {
  const { form, change, beginsHere, onChooseAuthority } = props;
  const line = (field: 'host' | 'database' | 'role', maxLength: number) => (
    <TextField
      {...(beginsHere && field === 'host' ? focusHere : {})}
      isCode
      label={texts[field]}
      labelPlace="beside"
      spellCheck="false"
      maxLength={maxLength}
      value={form[field]}
      onChange={(value) => change({ [field]: value })}
    />
  );
  return (
    <>
      {line('host', 255)}
      <NumberField
        label={texts.port}
        labelPlace="beside"
        className="team-join__port"
        formatOptions={{ useGrouping: false }}
        value={form.port}
        minValue={1}
        maxValue={65_535}
        onChange={(port) => Number.isNaN(port) || change({ port })}
      />
      {line('database', 63)}
      {line('role', 63)}
      <ChosenFile
        field="authority"
        label={texts.authority}
        chosen={form.authority}
        none={texts.system}
        onChoose={onChooseAuthority}
        onClear={() => change({ authority: { kind: 'none' } })}
      />
    </>
  );
}

export function Password(props: {
  form: Pick<AccessForm, 'password'>;
  change: (part: Pick<AccessForm, 'password'>) => void;
  /** false: the password is used once and not stored, as for an owner. */
  isKept?: boolean;
}) {
  const { form, change, isKept = true } = props;
  const isKeychainUsable = useRemoteStore(useStores().info).value?.keychain.usable ?? true;
  return (
    <PasswordField
      label={texts.password}
      labelPlace="beside"
      value={form.password}
      onChange={(password) => change({ password })}
      maxLength={1024}
      eye={texts.eye}
      hint={
        isKept ? (
          <>
            <Icon name={isKeychainUsable ? 'lock' : 'warn'} size={12} />
            {isKeychainUsable ? texts.passwordHint : texts.passwordSession}
          </>
        ) : (
          texts.passwordOnce
        )
      }
    />
  );
}

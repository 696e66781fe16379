import type { ServiceField } from '../../app/service-field.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { connectExamples } from '../../../shared/i18n/connect-examples.ts';
import { connectTexts as texts } from '../../i18n/connect-texts.ts';
import { SegmentedField } from '../../ui/Choice.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { ChosenFile } from './ChosenFile.tsx';
import type { ConnectForm } from './draft.ts';
import { fieldMark } from './focus-field.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

type Props = {
  form: ConnectForm;
  change: (part: Partial<ConnectForm>) => void;
  chooseCertificate: () => void;
  problemOf: (field: ServiceField) => string | undefined;
};

/** The proxy and the client certificate for the service. */
export function WayFields({ form, change, chooseCertificate, problemOf }: Props) {
  const { proxyKind, proxyAddress, baseAddress } = form;
  const isSeen = proxyKind !== 'none' && isOpenAddress(baseAddress);
  return (
    <>
      <SegmentedField
        {...(proxyKind === 'own' ? {} : fieldMark('proxy'))}
        label={texts.proxy}
        labelPlace="beside"
        value={proxyKind}
        choices={[
          { value: 'system', label: texts.proxyKinds.system },
          { value: 'none', label: texts.proxyKinds.none },
          { value: 'own', label: texts.proxyKinds.own },
        ]}
        onChange={(kind) => change({ proxyKind: kind })}
        {...(isSeen && {
          hint: (
            <span className="form__warning">
              <Icon name="warn" size={12} />
              {texts.proxySees}
            </span>
          ),
        })}
      />
      {proxyKind === 'own' && (
        <TextField
          label={fieldTexts.proxyAddress}
          isCode
          labelPlace="beside"
          placeholder={connectExamples.proxyAddress}
          value={proxyAddress}
          onChange={(address) => change({ proxyAddress: address })}
          spellCheck="false"
          maxLength={2000}
          problem={problemOf('proxy')}
          {...fieldMark('proxy')}
        />
      )}
      <ChosenFile
        field="clientCertificate"
        label={texts.clientCertificate}
        chosen={form.clientCertificate}
        none={texts.noAuthority}
        icon="cert"
        onChoose={chooseCertificate}
        onClear={() => change({ clientCertificate: { kind: 'none' }, passphrase: null })}
      />
      {form.clientCertificate.kind !== 'none' && (
        <Passphrase form={form} change={change} problemOf={problemOf} />
      )}
    </>
  );
}

/** Whether a proxy would see unencrypted requests. Loopback is never reached through a proxy. */
function isOpenAddress(address: string): boolean {
  const url = URL.parse(address.trim());
  return url?.protocol === 'http:' && !/^(localhost|127\..*|\[::1\])$/.test(url.hostname);
}

function Passphrase({ form, change, problemOf }: Omit<Props, 'chooseCertificate'>) {
  const isKeychainUsable = useRemoteStore(useStores().info).value?.keychain.usable ?? true;
  const { passphrase, passphraseStoredIn } = form;
  if (passphrase === null && passphraseStoredIn !== 'none') {
    return (
      <div className="form__row">
        <p className="form__below">
          <Icon name={passphraseStoredIn === 'keychain' ? 'lock' : 'warn'} size={12} />
          {texts.unlocked[passphraseStoredIn]}
        </p>
      </div>
    );
  }
  return (
    <PasswordField
      label={fieldTexts.passphrase}
      labelPlace="beside"
      value={passphrase ?? ''}
      onChange={(value) => change({ passphrase: value })}
      maxLength={1024}
      problem={problemOf('passphrase')}
      eye={texts.passphraseEye}
      {...fieldMark('passphrase')}
      hint={
        <>
          <Icon name={isKeychainUsable ? 'lock' : 'warn'} size={12} />
          {isKeychainUsable ? texts.passphraseHint : texts.passphraseSession}
        </>
      }
    />
  );
}

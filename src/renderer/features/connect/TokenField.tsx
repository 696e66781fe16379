import type { Service } from '../../../shared/domain/service.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { connectTexts as texts } from '../../i18n/connect-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { fieldMark } from './focus-field.ts';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

/** The access token. A stored one is never shown, only where it is stored. */
export function TokenField(props: {
  service: Service | null;
  token: string | null;
  problem: string | undefined;
  onChange: (token: string) => void;
}) {
  const { service, token, problem, onChange } = props;
  const isKeychainUsable = useRemoteStore(useStores().info).value?.keychain.usable ?? true;
  if (service !== null && token === null) {
    return (
      <div className="form__row" {...fieldMark('token')}>
        <span className="form__label">{fieldTexts.token}</span>
        <div className="form__field">
          <span className="input input--line input--shown">
            <Icon name="lock" />
            <span>{texts.tokenStoredIn[service.tokenStoredIn]}</span>
          </span>
          {!service.isLocal && (
            <Button kind="line" size="large" onPress={() => onChange('')}>
              {texts.replaceToken}
            </Button>
          )}
        </div>
      </div>
    );
  }
  return (
    <PasswordField
      label={fieldTexts.token}
      labelPlace="beside"
      value={token ?? ''}
      onChange={onChange}
      maxLength={16_384}
      problem={problem}
      eye={texts.tokenEye}
      {...fieldMark('token')}
      hint={
        <>
          <Icon name={isKeychainUsable ? 'lock' : 'warn'} size={12} />
          {isKeychainUsable ? texts.tokenHint : texts.tokenSession}
        </>
      }
    />
  );
}

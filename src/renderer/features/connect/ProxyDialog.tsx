import { useState } from 'react';
import { useClient } from '../../app/client.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { connectTexts } from '../../i18n/connect-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { proxyName } from '../../../shared/i18n/way-text.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { focusHere } from '../../ui/focus.ts';
import { Icon } from '../../ui/Icon.tsx';
import './connect.css';
import { commonTexts } from '../../i18n/common-texts.ts';

const texts = connectTexts.proxyPassword;

/**
 * Asks for a proxy's user name and password, stores them in the keychain by the proxy's origin, and tries them at
 * once.
 */
export function ProxyDialog(props: { proxy: string; onClose: () => void; onSignedIn?: () => void }) {
  const { proxy, onClose, onSignedIn } = props;
  const client = useClient();
  const isKeychainUsable = useRemoteStore(useStores().info).value?.keychain.usable ?? true;
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const [isRefused, setRefused] = useState(false);
  const act = useAct();
  const userProblem = user.includes(':') ? texts.userProblem : undefined;
  const isReady = user !== '' && userProblem === undefined;
  const signIn = () =>
    void act.run(async () => {
      setRefused(false);
      const answer = await client.call('proxies.signIn', { origin: proxy, user, password });
      if (answer.isRefused) return setRefused(true);
      if (onSignedIn === undefined) announce(texts.accepted);
      onClose();
      onSignedIn?.();
    });
  const problem = isRefused ? texts.refused : act.error === null ? undefined : errorText(act.error).what;
  const onKeyDown = (event: { key: string; continuePropagation: () => void }) => {
    if (event.key === 'Enter' && isReady && !act.isRunning) signIn();
    // Escape closes the dialog.
    else event.continuePropagation();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.title}
      buttons={
        <>
          <Button size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button
            kind="primary"
            size="large"
            isDisabled={!isReady}
            isPending={act.isRunning}
            onPress={signIn}
          >
            {texts.use}
          </Button>
        </>
      }
    >
      <div className="form">
        <p className="proxy-dialog__why">{texts.why({ name: proxyName(proxy) })}</p>
        <TextField
          label={texts.user}
          value={user}
          onChange={setUser}
          maxLength={256}
          autoComplete="off"
          spellCheck="false"
          problem={userProblem}
          {...focusHere}
          onKeyDown={onKeyDown}
        />
        <PasswordField
          label={texts.password}
          value={password}
          onChange={setPassword}
          maxLength={1024}
          problem={problem}
          onKeyDown={onKeyDown}
          hint={
            <>
              <Icon name={isKeychainUsable ? 'lock' : 'warn'} size={12} />
              {isKeychainUsable ? texts.kept : texts.session}
              {proxy.startsWith('http:') && ` ${texts.plain}`}
            </>
          }
        />
      </div>
    </Dialog>
  );
}

import { useClient } from '../../app/client.ts';
import { useRemoteStore, useStores } from '../../app/stores.ts';
import { useAct } from '../../app/use-act.ts';
import { appTexts } from '../../i18n/app-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { CofferMark } from '../../ui/Relief.tsx';
import { FirstScreen } from './FirstScreen.tsx';
import { Way } from '../../ui/Way.tsx';
import { connectTexts } from '../../i18n/connect-texts.ts';

const texts = appTexts.welcome;

export function Welcome({ onConnect }: { onConnect: () => void }) {
  const client = useClient();
  const isKeychainUsable = useRemoteStore(useStores().info).value?.keychain.usable ?? true;
  const tryLocal = useAct();
  return (
    <FirstScreen>
      <div className="welcome">
        <CofferMark />
        <h1 className="welcome__title">{texts.title}</h1>
        <p className="welcome__lead">{texts.lead}</p>
        <div className="ways">
          <Way icon="server" name={connectTexts.title} text={texts.connectText} isFirst onPress={onConnect} />
          <Way
            icon="laptop"
            name={texts.tryLocal}
            text={tryLocal.isRunning ? texts.starting : texts.tryLocalText}
            isPending={tryLocal.isRunning}
            onPress={() => void tryLocal.run(async () => void (await client.call('services.tryLocal')))}
          />
        </div>
        {tryLocal.error !== null && <ErrorNote {...errorText(tryLocal.error)} />}
      </div>
      <p className="welcome__foot">
        <Icon name={isKeychainUsable ? 'lock' : 'warn'} />
        {isKeychainUsable ? texts.token : texts.tokenSession}
      </p>
    </FirstScreen>
  );
}

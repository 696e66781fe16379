import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useUpdates } from '../../app/stores.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Button } from '../../ui/Button.tsx';
import './update-line.css';

/** In the bottom line: a newer version, if the person turned update checks on. */
export function UpdateLine() {
  const client = useClient();
  const newerVersion = useUpdates()?.newerVersion ?? null;
  if (newerVersion === null) return null;
  return (
    <span className="update-line">
      <span className="update-line__text">{texts.newer({ version: newerVersion })}</span>
      <Button kind="link" onPress={() => sayFailure(client.call('updates.openReleasePage'))}>
        {texts.releasePage}
      </Button>
    </span>
  );
}

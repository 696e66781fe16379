import type { Output } from '../../../shared/contract.ts';
import { type Client, useClient } from '../../app/client.ts';
import { createRemoteStore } from '../../app/remote-store.ts';
import { useFeatureStore, useRemoteStore, useSettings } from '../../app/stores.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Button } from '../../ui/Button.tsx';
import './update-line.css';
import type { Settings } from '../../../shared/domain/settings.ts';
import { formatMoment } from '../../../shared/i18n/format.ts';
import { paletteSetting } from '../../app/palette-entry.ts';
import type { WindowFeature } from '../../app/slots.tsx';
import { paletteTexts } from '../../i18n/keyboard-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';
import { switchSetting } from '../settings/switch-setting.tsx';

const createUpdates = (client: Client) =>
  createRemoteStore({
    subscribe: (changed) => client.on('updates.changed', () => changed()),
    load: () => client.call('updates.state'),
  });

/** News of newer versions. */
export const updates: WindowFeature = {
  stores: [createUpdates],
  slots: { statusEnd: UpdateLine },
  facts: { aboutSetting: useUpdateSetting, palette: usePaletteSetting },
};

/** Whether there is a newer version, and which host is asked; null until known. */
function useUpdates(): Output<'updates.state'> | null {
  return useRemoteStore(useFeatureStore(createUpdates)).value;
}

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

function useUpdateSetting({ tellOfUpdates }: Settings, onChange: (change: Partial<Settings>) => void) {
  const known = useUpdates();
  if (known?.host == null) return null;
  return switchSetting(
    { name: texts.updates, hint: hintOf(known.host, known.askedAtMs) },
    tellOfUpdates,
    (isOn) => onChange({ tellOfUpdates: isOn }),
  );
}

function hintOf(host: string, askedAtMs: number | null): string {
  const hint = texts.updatesHint({ host });
  if (askedAtMs === null) return hint;
  return `${hint} ${texts.updatesAsked({ when: formatMoment(askedAtMs, Date.now()) })}`;
}

function usePaletteSetting() {
  const { tellOfUpdates } = useSettings();
  const { on, off } = objectTexts.palette;
  if (useUpdates()?.host == null) return {};
  const { words } = paletteTexts;
  return { settings: [paletteSetting(texts.about, texts.updates, tellOfUpdates ? on : off, words.updates)] };
}

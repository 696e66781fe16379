import { useRemoteStore, useStores } from '../../app/stores.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Section, type SettingsSectionProps } from './Section.tsx';
import { switchSetting } from './switch-setting.tsx';

/** What Coffer does while its window is closed. */
export function BackgroundSection({ search, settings, onChange }: SettingsSectionProps) {
  const isMac = useRemoteStore(useStores().info).value?.platform === 'darwin';
  return (
    <Section
      title={texts.background}
      search={search}
      settings={[
        switchSetting(
          {
            name: texts.keepRunning,
            hint: settings.trayIcon ? texts.keepRunningHint : texts.keepRunningHintQuits,
          },
          settings.keepRunning,
          // Show the explanation again after a change.
          (keepRunning) => onChange({ keepRunning, backgroundTold: false }),
        ),
        switchSetting(
          {
            name: isMac ? texts.trayIconMac : texts.trayIcon,
            hint: settings.keepRunning ? texts.trayIconHintKept : texts.trayIconHint,
          },
          settings.trayIcon,
          (trayIcon) => onChange({ trayIcon }),
        ),
      ]}
    />
  );
}

import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Section, type SettingsSectionProps } from './Section.tsx';
import { switchSetting } from './switch-setting.tsx';

/** What hardly anybody changes. */
export function AdvancedSection({ search, settings, onChange }: SettingsSectionProps) {
  return (
    <Section
      title={texts.advanced}
      search={search}
      settings={[
        {
          ...switchSetting(
            { name: texts.keepAwake, hint: texts.keepAwakeHint },
            settings.keepAwake,
            (keepAwake) => onChange({ keepAwake }),
          ),
          words: texts.keepAwakeWords,
        },
      ]}
    />
  );
}

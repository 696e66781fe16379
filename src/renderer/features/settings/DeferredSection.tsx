import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Select } from '../../ui/Select.tsx';
import { Section, type SettingsSectionProps } from './Section.tsx';

const paces = Array.from({ length: 20 }, (_, at) => ({ value: at + 1, label: String(at + 1) }));

export function DeferredSection({ search, settings, onChange }: SettingsSectionProps) {
  return (
    <Section
      title={texts.deferred}
      search={search}
      settings={[
        {
          name: texts.requestsPerSecond,
          hint: texts.requestsPerSecondHint,
          control: (
            <Select
              label={texts.requestsPerSecond}
              labelPlace="hidden"
              size="regular"
              className="set__number"
              value={settings.jobRequestsPerSecond}
              options={paces}
              onChange={(jobRequestsPerSecond) => onChange({ jobRequestsPerSecond })}
            />
          ),
        },
      ]}
    />
  );
}

import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { boundsOf } from '../../../shared/domain/limits.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { Section, type SettingsSectionProps } from './Section.tsx';
import { readOptional, readWhole } from './setting-values.ts';
import { SettingField } from './SettingField.tsx';
import { switchSetting } from './switch-setting.tsx';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const requests = boundsOf(settingsSchema.shape.requestsPerSecond.unwrap());

/** What hardly anybody changes. */
export function AdvancedSection({ search, settings, onChange }: SettingsSectionProps) {
  const { requestsPerSecond } = settings;
  return (
    <Section
      title={texts.advanced}
      search={search}
      settings={[
        {
          name: fieldTexts.requests,
          hint: texts.requestsHint,
          control: (
            <SettingField
              label={fieldTexts.requests}
              value={requestsPerSecond}
              figure={requestsPerSecond === null ? '' : String(requestsPerSecond)}
              read={(text) =>
                readOptional(text, (figure) => readWhole(figure, requests, texts.requestsProblem))
              }
              placeholder={texts.noLimit}
              onChange={(value) => onChange({ requestsPerSecond: value })}
            />
          ),
        },
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

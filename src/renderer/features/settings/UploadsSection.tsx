import { boundsOf } from '../../../shared/domain/limits.ts';
import { settingsSchema } from '../../../shared/domain/settings.ts';
import { ifExistsSchema, requestSchema } from '../../../shared/domain/service.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { Segmented } from '../../ui/Choice.tsx';
import { Select } from '../../ui/Select.tsx';
import { Section, type SettingsSectionProps } from './Section.tsx';
import { readWhole } from './setting-values.ts';
import { SettingField } from './SettingField.tsx';
import { switchSetting } from './switch-setting.tsx';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const reach = boundsOf(settingsSchema.shape.versionReach);

/** Defaults of the upload sheet, and how uploads find existing objects. */
export function UploadsSection({ search, settings, onChange }: SettingsSectionProps) {
  return (
    <Section
      title={texts.uploads}
      search={search}
      settings={[
        {
          name: uploadTexts.request,
          hint: texts.requestHint,
          control: (
            <Segmented
              label={uploadTexts.request}
              value={settings.uploadRequest}
              choices={requestSchema.options.map((value) => ({ value, label: uploadTexts.kind[value] }))}
              onChange={(uploadRequest) => onChange({ uploadRequest })}
            />
          ),
        },
        {
          name: uploadTexts.ifExists,
          hint: texts.ifExistsHint,
          control: (
            <Select
              label={uploadTexts.ifExists}
              labelPlace="hidden"
              size="regular"
              value={settings.uploadIfExists}
              options={ifExistsSchema.options.map((value) => ({ value, label: uploadTexts.exists[value] }))}
              onChange={(uploadIfExists) => onChange({ uploadIfExists })}
            />
          ),
        },
        switchSetting(
          { name: texts.skipIdentical, hint: texts.skipIdenticalHint },
          settings.skipIdentical,
          (skipIdentical) => onChange({ skipIdentical }),
        ),
        {
          name: fieldTexts.versionReach,
          hint: texts.versionReachHint,
          control: (
            <SettingField
              label={fieldTexts.versionReach}
              value={settings.versionReach}
              figure={String(settings.versionReach)}
              read={(text) => readWhole(text, reach)}
              onChange={(versionReach) => onChange({ versionReach })}
              unit={() => <span className="field__unit">{texts.bounds(reach)}</span>}
            />
          ),
        },
      ]}
    />
  );
}

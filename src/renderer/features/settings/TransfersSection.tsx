import { Select } from '../../ui/Select.tsx';
import { Segmented } from '../../ui/Choice.tsx';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { ifExistsSchema, requestSchema } from '../../../shared/domain/service.ts';
import { boundsOf } from '../../../shared/domain/limits.ts';
import { transfersAtOnceSchema } from '../../../shared/domain/settings.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { SettingField } from './SettingField.tsx';
import { readOptional, readWhole } from './setting-values.ts';
import { Section, type SettingsSectionProps } from './Section.tsx';
import { switchSetting } from './switch-setting.tsx';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const files = boundsOf(transfersAtOnceSchema);

/** How many files at once, where downloads go, and what is said at the end. */
export function TransfersSection({ search, settings, onChange }: SettingsSectionProps) {
  const { transfersAtOnce } = settings;
  return (
    <Section
      title={texts.transfers}
      search={search}
      settings={[
        {
          name: fieldTexts.transfersAtOnce,
          hint: texts.transfersAtOnceHint,
          control: (
            <SettingField
              label={fieldTexts.transfersAtOnce}
              value={transfersAtOnce}
              figure={transfersAtOnce === null ? '' : String(transfersAtOnce)}
              read={(text) =>
                readOptional(text, (figure) => readWhole(figure, files, texts.transfersAtOnceProblem))
              }
              placeholder={texts.automatic}
              onChange={(value) => onChange({ transfersAtOnce: value })}
              unit={() => <span className="field__unit">{texts.bounds(files)}</span>}
            />
          ),
        },
        switchSetting(
          { name: texts.keepFolders, hint: texts.keepFoldersHint },
          settings.keepFolders,
          (keepFolders) => onChange({ keepFolders }),
        ),
        switchSetting(
          { name: texts.notify, hint: texts.notifyHint },
          settings.notifyWhenDone,
          (notifyWhenDone) => onChange({ notifyWhenDone }),
        ),
      ]}
    />
  );
}

/** Defaults of the upload sheet. */
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
      ]}
    />
  );
}

import type { Settings } from '../../../shared/domain/settings.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Switch } from '../../ui/Choice.tsx';
import { RateField } from './RateField.tsx';
import { Section, type SettingsSectionProps } from './Section.tsx';
import { readOptional, readWhole } from './setting-values.ts';
import { SettingField } from './SettingField.tsx';
import { Week } from './Week.tsx';
import { switchSetting } from './switch-setting.tsx';

const filesMost = 64;

/** Limits on the number, rate and hours of transfers. */
export function TransfersSection({ search, settings, onChange }: SettingsSectionProps) {
  const { transfersAtOnce, limitByHour, hours } = settings;
  return (
    <Section
      title={texts.transfers}
      search={search}
      settings={[
        {
          name: texts.atOnce,
          hint: texts.atOnceHint,
          control: (
            <SettingField
              label={texts.atOnce}
              value={transfersAtOnce}
              figure={transfersAtOnce === null ? '' : String(transfersAtOnce)}
              read={(text) =>
                readOptional(text, (figure) => readWhole(figure, filesMost, texts.atOnceProblem))
              }
              placeholder={texts.automatic}
              onChange={(value) => onChange({ transfersAtOnce: value })}
              unit={() => <span className="field__unit">{texts.atOnceUnit}</span>}
            />
          ),
        },
        {
          name: texts.upload,
          control: (
            <RateField
              label={texts.upload}
              value={settings.uploadBytesPerSecond}
              onChange={(uploadBytesPerSecond) => onChange({ uploadBytesPerSecond })}
            />
          ),
        },
        {
          name: texts.download,
          control: (
            <RateField
              label={texts.download}
              value={settings.downloadBytesPerSecond}
              onChange={(downloadBytesPerSecond) => onChange({ downloadBytesPerSecond })}
            />
          ),
        },
        {
          name: texts.byHour,
          hint: texts.byHourHint,
          control: (
            <Switch
              label={texts.byHour}
              isSelected={limitByHour}
              onChange={(isOn) => onChange({ limitByHour: isOn, ...(isOn && limitedAtFirst(settings)) })}
            />
          ),
          ...(limitByHour && {
            below: <Week hours={hours} onChange={(painted) => onChange({ hours: painted })} />,
          }),
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

/** Starts with the limit applied to all hours if one is set and no hours are painted yet. */
function limitedAtFirst(settings: Settings): Partial<Settings> {
  const { uploadBytesPerSecond, downloadBytesPerSecond, hours } = settings;
  const isLimited = uploadBytesPerSecond !== null || downloadBytesPerSecond !== null;
  const isPainted = hours.some((hour) => hour !== 'full');
  return isLimited && !isPainted ? { hours: hours.map(() => 'limited') } : {};
}

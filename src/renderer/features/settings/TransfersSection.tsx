import { useState } from 'react';
import { formatRateUnit } from '../../../shared/i18n/format.ts';
import { boundsOf } from '../../../shared/domain/limits.ts';
import { transfersAtOnceSchema, type Settings } from '../../../shared/domain/settings.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Choice.tsx';
import { SettingField } from './SettingField.tsx';
import {
  rateFigure,
  type RateUnit,
  rateUnits,
  readOptional,
  readRate,
  readWhole,
  unitOf,
} from './setting-values.ts';
import { Section, type SettingsSectionProps } from './Section.tsx';
import { Week } from './Week.tsx';
import { switchSetting } from './switch-setting.tsx';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

/** A speed limit: a number and its unit; empty means no limit. */
function RateField({
  label,
  value,
  onChange,
}: {
  label: string;
  /** Bytes per second; null: no limit. */
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  const [chosen, setChosen] = useState<RateUnit | null>(null);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setChosen(null);
  }
  const unit = chosen ?? unitOf(value);
  const read = (text: string, as: RateUnit) => readOptional(text, (figure) => readRate(figure, as));
  return (
    <SettingField
      label={label}
      value={value}
      figure={rateFigure(value, unit)}
      read={(text) => read(text, unit)}
      placeholder={texts.noLimit}
      onChange={onChange}
      unit={(text, keep) => (
        <Select
          label={texts.unitOf({ name: label })}
          labelPlace="hidden"
          size="regular"
          className="setting-field__unit"
          value={unit}
          options={rateUnits.map((value) => ({ value, label: formatRateUnit(value) }))}
          onChange={(next) => {
            keep();
            setChosen(next);
            const found = read(text, next);
            if ('value' in found && found.value !== value) onChange(found.value);
          }}
        />
      )}
    />
  );
}

const files = boundsOf(transfersAtOnceSchema);

/** Limits on the number, rate and hours of transfers. */
export function TransfersSection({ search, settings, onChange }: SettingsSectionProps) {
  const { transfersAtOnce, limitByHour, hours } = settings;
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
        {
          name: fieldTexts.upload,
          control: (
            <RateField
              label={fieldTexts.upload}
              value={settings.uploadBytesPerSecond}
              onChange={(uploadBytesPerSecond) => onChange({ uploadBytesPerSecond })}
            />
          ),
        },
        {
          name: fieldTexts.download,
          control: (
            <RateField
              label={fieldTexts.download}
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

import { useState } from 'react';
import { formatRateUnit } from '../../../shared/i18n/format.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { boundsOf } from '../../../shared/domain/limits.ts';
import { type Settings, settingsSchema } from '../../../shared/domain/settings.ts';
import { Section, type SettingsSectionProps } from './Section.tsx';
import {
  rateFigure,
  type RateUnit,
  rateUnits,
  readOptional,
  readRate,
  readWhole,
  unitOf,
} from './setting-values.ts';
import { SettingField } from './SettingField.tsx';
import { Select } from '../../ui/Select.tsx';
import { Switch } from '../../ui/Choice.tsx';
import { Week } from './Week.tsx';
import { switchSetting } from './switch-setting.tsx';
import { fieldTexts } from '../../../shared/i18n/field-texts.ts';

const requests = boundsOf(settingsSchema.shape.requestsPerSecond.unwrap());
const reach = boundsOf(settingsSchema.shape.versionReach);

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

/** What hardly anybody changes: limits by rate and by hour, the search for versions, and sleep. */
export function AdvancedSection({ search, settings, onChange }: SettingsSectionProps) {
  const { requestsPerSecond, limitByHour, hours } = settings;
  return (
    <Section
      title={texts.advanced}
      search={search}
      settings={[
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

/** Starts with the limit applied to all hours if one is set and no hours are painted yet. */
function limitedAtFirst(settings: Settings): Partial<Settings> {
  const { uploadBytesPerSecond, downloadBytesPerSecond, hours } = settings;
  const isLimited = uploadBytesPerSecond !== null || downloadBytesPerSecond !== null;
  const isPainted = hours.some((hour) => hour !== 'full');
  return isLimited && !isPainted ? { hours: hours.map(() => 'limited') } : {};
}

import { useState } from 'react';
import { formatRateUnit } from '../../../shared/i18n/format.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { Select } from '../../ui/Select.tsx';
import { SettingField } from './SettingField.tsx';
import { rateFigure, rateUnits, readOptional, readRate, unitOf, type RateUnit } from './setting-values.ts';

/** A speed limit: a number and its unit; empty means no limit. */
export function RateField({
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

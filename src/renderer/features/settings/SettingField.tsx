import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { TextField } from '../../ui/Field.tsx';
import type { Read } from './setting-values.ts';

/** After a pause this long, in ms, the text counts as complete. */
const settleMs = 400;

/**
 * A typed setting, applied after a pause, on Enter, or when the field loses focus. Invalid text stays, with its
 * problem.
 */
export function SettingField<V>(props: {
  label: string;
  value: V;
  /** `value` as text. */
  figure: string;
  read: (text: string) => Read<V>;
  onChange: (value: V) => void;
  /** Shown at the end of the field. @param text the current text @param keep keeps the text until the value changes */
  unit?: (text: string, keep: () => void) => ReactNode;
  placeholder?: string;
}) {
  const { label, value, figure, read, onChange, unit, placeholder } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [isSettled, setSettled] = useState(true);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const hasFocus = useRef(false);
  const shown = typed ?? figure;
  const found = typed === null ? null : read(typed);

  function finish(): void {
    clearTimeout(timer.current);
    setSettled(true);
    if (found !== null && 'value' in found && found.value !== value) onChange(found.value);
  }

  const apply = useEffectEvent(finish);
  useEffect(() => {
    if (typed === null) return undefined;
    timer.current = setTimeout(() => apply(), settleMs);
    return () => clearTimeout(timer.current);
  }, [typed]);

  // An applied value is shown in its usual form, but not while the person types.
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (found !== null && 'value' in found && isSettled) setTyped(null);
  }

  // Leaving the page applies the field.
  const leave = useEffectEvent(() => {
    if (hasFocus.current) finish();
  });
  useEffect(() => () => leave(), []);

  return (
    <TextField
      label={label}
      labelPlace="hidden"
      size="regular"
      className="setting-field"
      value={shown}
      {...(placeholder !== undefined && { placeholder })}
      inputMode="decimal"
      maxLength={40}
      after={unit?.(shown, () => setTyped(shown))}
      problem={isSettled && found !== null && 'problem' in found ? found.problem : undefined}
      onChange={(text) => {
        setTyped(text);
        setSettled(false);
      }}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
        finish();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish();
        else event.continuePropagation();
      }}
    />
  );
}

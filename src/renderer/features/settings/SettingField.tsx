import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { TextField } from '../../ui/Field.tsx';
import type { Read } from './setting-values.ts';

/** A person who pauses for so long has typed it. */
const settleMs = 400;

/**
 * A setting that is typed, and applied when the person pauses, presses Enter or leaves. What cannot be taken stays
 * as it was typed, with what is wrong.
 */
export function SettingField<V>(props: {
  label: string;
  value: V;
  /** `value` as it is typed. */
  figure: string;
  read: (text: string) => Read<V>;
  onChange: (value: V) => void;
  /** At its end. @param text as it stands; `keep`: it stays as it is until another value is known */
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

  function settle(): void {
    clearTimeout(timer.current);
    setSettled(true);
    if (found !== null && 'value' in found && found.value !== value) onChange(found.value);
  }

  const apply = useEffectEvent(settle);
  useEffect(() => {
    if (typed === null) return undefined;
    timer.current = setTimeout(() => apply(), settleMs);
    return () => clearTimeout(timer.current);
  }, [typed]);

  // Taken, it is written the usual way, but never under the hands of who types.
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (found !== null && 'value' in found && isSettled) setTyped(null);
  }

  // Leaving the page is leaving the field.
  const leave = useEffectEvent(() => {
    if (hasFocus.current) settle();
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
        settle();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle();
        else event.continuePropagation();
      }}
    />
  );
}

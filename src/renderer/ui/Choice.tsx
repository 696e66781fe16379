import type { ReactNode } from 'react';
import {
  CheckboxButton,
  CheckboxField,
  Radio,
  RadioGroup,
  SwitchButton,
  SwitchField,
} from 'react-aria-components';
import type { LabelPlace } from './Field.tsx';
import { Icon } from './Icon.tsx';
import './choice.css';
import './field.css';

export type Choice<V extends string> = { value: V; label: string; text?: ReactNode; mark?: ReactNode };

type GroupProps<V extends string> = {
  label: string;
  value: V;
  choices: readonly Choice<V>[];
  onChange: (value: V) => void;
};

function choose<V extends string>({ choices, onChange }: GroupProps<V>, value: string): void {
  const chosen = choices.find((choice) => choice.value === value);
  if (chosen !== undefined) onChange(chosen.value);
}

/** Segmented control for two or three short options. */
export function Segmented<V extends string>(props: GroupProps<V>) {
  return (
    <RadioGroup
      aria-label={props.label}
      orientation="horizontal"
      className="seg"
      value={props.value}
      onChange={(value) => choose(props, value)}
    >
      {props.choices.map(({ value, label, mark }) => (
        <Radio key={value} value={value} className="seg__part">
          {mark}
          {label}
        </Radio>
      ))}
    </RadioGroup>
  );
}

/** A segmented control with a visible label, like other fields. `data-field` marks the element around both. */
export function SegmentedField<V extends string>({
  labelPlace = 'above',
  hint,
  'data-field': mark,
  ...props
}: GroupProps<V> & { labelPlace?: Exclude<LabelPlace, 'hidden'>; hint?: ReactNode; 'data-field'?: string }) {
  return (
    <div className={`field field--${labelPlace}`} data-field={mark}>
      <span className="field__label" aria-hidden="true">
        {props.label}
      </span>
      <Segmented {...props} />
      {hint !== undefined && <p className="field__hint">{hint}</p>}
    </div>
  );
}

/** Radio group whose options describe their consequences. */
export function ChoiceList<V extends string>(props: GroupProps<V>) {
  return (
    <RadioGroup
      aria-label={props.label}
      className="choices"
      value={props.value}
      onChange={(value) => choose(props, value)}
    >
      {props.choices.map(({ value, label, text }) => (
        <Radio key={value} value={value} className="choice">
          <span className="choice__dot" />
          <span>
            <span className="choice__name">{label}</span>
            {text !== undefined && <span className="choice__text">{text}</span>}
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

type TickProps = {
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isDisabled?: boolean;
};

export function Checkbox({
  children,
  isSelected,
  onChange,
  isDisabled = false,
}: TickProps & { children: ReactNode }) {
  return (
    <CheckboxField isSelected={isSelected} onChange={onChange} isDisabled={isDisabled}>
      <CheckboxButton className="tick">
        <span className="tick__box">{isSelected && <Icon name="check" size={12} />}</span>
        {children}
      </CheckboxButton>
    </CheckboxField>
  );
}

/** On and off differ in shape as well as colour. The row renders the visible label elsewhere. */
export function Switch({ label, isSelected, onChange, isDisabled = false }: TickProps & { label: string }) {
  return (
    <SwitchField isSelected={isSelected} onChange={onChange} isDisabled={isDisabled} aria-label={label}>
      <SwitchButton className="switch">
        <span className="switch__thumb" />
      </SwitchButton>
    </SwitchField>
  );
}

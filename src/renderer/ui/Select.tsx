import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components';
import type { LabelPlace } from './Field.tsx';
import { Icon } from './Icon.tsx';
import { usePopoverBounds } from './popover-bounds.ts';
import './field.css';
import './list.css';
import './select.css';

type SelectOption<V extends string | number> = { value: V; label: string; text?: string };

type SelectProps<V extends string | number> = {
  label: string;
  labelPlace?: LabelPlace;
  value: V;
  options: readonly SelectOption<V>[];
  onChange: (value: V) => void;
  size?: 'regular' | 'large';
  isDisabled?: boolean;
  className?: string;
};

/** A select exposed as a combobox without text input, named by its label alone. */
export function Select<V extends string | number>(props: SelectProps<V>) {
  const {
    label,
    labelPlace = 'above',
    value,
    options,
    onChange,
    size = 'large',
    isDisabled,
    className,
  } = props;
  const bounds = usePopoverBounds();
  return (
    <AriaSelect
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.value === key);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      isDisabled={isDisabled ?? false}
      className={`field field--${labelPlace} ${className ?? ''}`}
    >
      <Label className="field__label">{label}</Label>
      <Button
        className={`select select--${size}`}
        render={(button) => <button {...button} {...asCombobox(label)} type="button" />}
      >
        <SelectValue className="select__value">{({ selectedText }) => selectedText}</SelectValue>
        <Icon name="updown" />
      </Button>
      <Popover className="pop" offset={4} {...bounds}>
        <ListBox className="options" items={options}>
          {(option) => (
            <ListBoxItem id={option.value} textValue={option.label} className="option">
              {({ isSelected }) => (
                <>
                  <span className="option__name">
                    {option.label}
                    {option.text !== undefined && <span className="option__text">{option.text}</span>}
                  </span>
                  {isSelected && <Icon name="check" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** React Aria names the button by value and label; a combobox has its value as content and only its label as name. */
function asCombobox(label: string) {
  return { role: 'combobox', 'aria-label': label, 'aria-labelledby': undefined };
}

import { useContext, useImperativeHandle, useRef, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import {
  Button,
  ComboBox as AriaComboBox,
  ComboBoxStateContext,
  Header,
  Input,
  type InputProps,
  Label,
  ListBox,
  ListBoxItem,
  ListBoxSection,
  Popover,
} from 'react-aria-components';
import type { LabelPlace } from './Field.tsx';
import { Icon } from './Icon.tsx';
import './field.css';
import './list.css';
import './select.css';

type ComboOption = {
  /** Unique over all sections. */
  id: string;
  label: string;
  text?: string | null;
  /** Before the label, a swatch for instance. */
  mark?: ReactNode;
};
type ComboSection = { id: string; title: string | null; options: readonly ComboOption[] };

export type ComboBoxHandle = {
  focus: () => void;
};

type ComboBoxProps = {
  ref?: Ref<ComboBoxHandle>;
  label: string;
  labelPlace?: LabelPlace;
  /** The sections as the typed text leaves them: who uses the box filters. */
  sections: readonly ComboSection[];
  inputValue: string;
  onInputChange: (text: string) => void;
  selectedId: string | null;
  /** null: free text stands, what was typed is the value. */
  onSelect: (id: string | null) => void;
  /** Before the text, a swatch for instance. */
  mark?: ReactNode;
  hint?: ReactNode;
  none?: ReactNode;
  placeholder?: string;
  onOpenChange?: (isOpen: boolean) => void;
  /** The box and its list lost the focus. */
  onBlur?: () => void;
  /** After the box did what the key means to it; stop it to keep it from what is around the box. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
};

/**
 * Searchable, with descriptions and free text. Arrow keys, Enter, Escape and typing do everything. Entered with the mouse too,
 * it has its text selected, so that typing takes its place.
 */
export function ComboBox(props: ComboBoxProps) {
  const { label, labelPlace = 'above', sections, inputValue, onInputChange, selectedId, onSelect } = props;
  const { mark, hint, none, placeholder, onOpenChange, onBlur, onKeyDown, ref } = props;
  /** The click that brought the focus puts the caret where it was pressed, after the focus is there. */
  const isFresh = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => input.current?.focus() }));
  return (
    <AriaComboBox
      className={`field field--${labelPlace}`}
      inputValue={inputValue}
      onInputChange={onInputChange}
      value={selectedId}
      onChange={(key) => onSelect(key === null ? null : String(key))}
      items={sections}
      menuTrigger="input"
      allowsCustomValue
      allowsEmptyCollection
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
      {...(onBlur === undefined ? {} : { onBlur })}
    >
      <Label className="field__label">{label}</Label>
      <div className="combo">
        {mark}
        <OpeningInput
          ref={input}
          className="combo__text"
          {...(placeholder === undefined ? {} : { placeholder })}
          onFocus={(event) => {
            // The list's own events say where its highlight is; the caret has not moved.
            if (!event.nativeEvent.isTrusted) return;
            isFresh.current = true;
            event.currentTarget.select();
          }}
          onClick={(event) => {
            if (isFresh.current) event.currentTarget.select();
            isFresh.current = false;
          }}
          {...(onKeyDown === undefined ? {} : { onKeyDown })}
        />
        <Button className="combo__button">
          <Icon name="updown" />
        </Button>
      </div>
      {hint !== undefined && <p className="field__hint">{hint}</p>}
      <Popover className="pop" offset={4}>
        <section aria-label={label}>
          <ListBox<ComboSection>
            className="options"
            renderEmptyState={() => <p className="options__none">{none}</p>}
          >
            {(section) => (
              <ListBoxSection id={section.id} aria-label={section.title ?? label}>
                {section.title !== null && <Header className="options__head">{section.title}</Header>}
                {section.options.map((option) => (
                  <ListBoxItem key={option.id} id={option.id} textValue={option.label} className="option">
                    {({ isSelected }) => (
                      <>
                        {option.mark}
                        <span className="option__name">
                          {option.label}
                          {option.text != null && <span className="option__text">{option.text}</span>}
                        </span>
                        {isSelected && <Icon name="check" />}
                      </>
                    )}
                  </ListBoxItem>
                ))}
              </ListBoxSection>
            )}
          </ListBox>
        </section>
      </Popover>
    </AriaComboBox>
  );
}

/**
 * A click opens the list, as typing and the arrow keys do. The focus alone does not: it also comes with a sheet that opens or
 * a question that is answered, and an open list hides the rest from a reader.
 */
function OpeningInput({ onClick, ...rest }: InputProps & { ref: Ref<HTMLInputElement> }) {
  const list = useContext(ComboBoxStateContext);
  return (
    <Input
      {...rest}
      onClick={(event) => {
        onClick?.(event);
        if (list?.isOpen === false) list.open(null, 'focus');
      }}
    />
  );
}

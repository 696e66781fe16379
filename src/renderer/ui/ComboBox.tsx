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
import { usePopoverBounds } from './popover-bounds.ts';
import './field.css';
import './list.css';
import './select.css';

type ComboOption = {
  id: string;
  label: string;
  text?: string | null;
  /** Rendered before the label, for example a colour swatch. */
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
  /** Already filtered by the caller. */
  sections: readonly ComboSection[];
  inputValue: string;
  onInputChange: (text: string) => void;
  selectedId: string | null;
  /** null: no option is selected, the typed text is the value. */
  onSelect: (id: string | null) => void;
  /** Rendered before the text, for example a colour swatch. */
  mark?: ReactNode;
  hint?: ReactNode;
  none?: ReactNode;
  placeholder?: string;
  maxLength?: number;
  onOpenChange?: (isOpen: boolean) => void;
  /** Focus has left both the input and its list. */
  onBlur?: () => void;
  /** Runs after the box has handled the key; call `stopPropagation` to hide the key from ancestors. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
};

/**
 * Searchable combo box with descriptions and free text, fully usable by keyboard. Focusing it selects its text, with
 * the mouse too, so that typing replaces it.
 */
export function ComboBox(props: ComboBoxProps) {
  const { label, labelPlace = 'above', sections, inputValue, onInputChange, selectedId, onSelect } = props;
  const { mark, hint, none, placeholder, maxLength, onOpenChange, onBlur, onKeyDown, ref } = props;
  /**
   * The click that focuses the input places the caret after `focus` has fired, so the text is selected again on that
   * click.
   */
  const isFresh = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const bounds = usePopoverBounds();
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
          {...(maxLength === undefined ? {} : { maxLength })}
          onFocus={(event) => {
            // React Aria dispatches synthetic focus events to mark the highlighted option; the caret has not moved.
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
      <Popover className="pop" offset={4} {...bounds}>
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
 * Opens the list on click, as typing and the arrow keys do. Focus alone does not open it: focus also arrives when a
 * sheet opens or a question is answered, and an open list hides the rest of the page from screen readers.
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

import { useState, type ReactNode, type Ref } from 'react';
import {
  FieldError,
  Input,
  Label,
  NumberField as AriaNumberField,
  SearchField as AriaSearchField,
  TextArea,
  TextField as AriaTextField,
  type NumberFieldProps as AriaNumberFieldProps,
  type SearchFieldProps as AriaSearchFieldProps,
  type TextFieldProps as AriaTextFieldProps,
  Text,
} from 'react-aria-components';
import { commonTexts } from '../i18n/common-texts.ts';
import { IconButton } from './Button.tsx';
import { Icon } from './Icon.tsx';
import { KeyHint } from './KeyHint.tsx';
import './field.css';

/** above the field, beside it (stand-alone forms), or hidden where a row or column heading already names the field. */
export type LabelPlace = 'above' | 'beside' | 'hidden';

type Common = {
  label: string;
  labelPlace?: LabelPlace;
  hint?: ReactNode;
  /** The validation error; marks the field as invalid. */
  problem?: string | undefined;
  className?: string;
  /** An address, an identifier or a template: always left to right. */
  isCode?: boolean;
};

type TextProps = Omit<AriaTextFieldProps, 'children' | 'className' | 'style' | 'isInvalid'> &
  Common & {
    placeholder?: string;
    /** Rendered after the field, for example a button. */
    after?: ReactNode;
    /** quiet: for fields in columns, filled and without a border. */
    variant?: 'line' | 'quiet';
    size?: 'regular' | 'large';
  };

export function TextField(all: TextProps & { inputRef?: Ref<HTMLInputElement> }) {
  const { placeholder, after, variant = 'line', size = 'large', inputRef, ...props } = all;
  const { label, labelPlace = 'above', hint, problem, className, isCode = false, ...rest } = props;
  return (
    <AriaTextField
      {...rest}
      isInvalid={problem !== undefined}
      className={`field field--${labelPlace} ${className ?? ''}`}
    >
      <Label className="field__label">{label}</Label>
      <div className="field__line">
        <Input
          className={`input input--${variant} input--${size}`}
          {...(inputRef === undefined ? {} : { ref: inputRef })}
          {...(isCode && codeDirection)}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        {after}
      </div>
      <Below hint={hint} problem={problem} />
    </AriaTextField>
  );
}

const codeDirection = { dir: 'ltr' } as const;

/** A password input has no implicit role. */
const asTextbox = { role: 'textbox', spellCheck: false };

/**
 * Masked by the browser, yet exposed as a textbox to assistive technology and automation.
 * `eye`: labels of the button that reveals the typed value; it works only while the field is not empty.
 */
export function PasswordField({ eye, ...props }: TextProps & { eye?: { show: string; hide: string } }) {
  const [isWanted, setWanted] = useState(false);
  const isShown = isWanted && eye !== undefined && props.value !== '';
  const {
    label,
    labelPlace = 'above',
    hint,
    problem,
    className,
    size = 'large',
    placeholder,
    isCode: _always,
    ...rest
  } = props;
  return (
    <AriaTextField
      autoComplete="off"
      {...rest}
      type={isShown ? 'text' : 'password'}
      isInvalid={problem !== undefined}
      className={`field field--${labelPlace} ${className ?? ''}`}
    >
      <Label className="field__label">{label}</Label>
      <div className="field__line">
        <Input
          {...asTextbox}
          {...codeDirection}
          className={`input input--line input--${size} ${isShown ? '' : 'input--secret'} ${eye === undefined ? '' : 'input--eye'}`}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        {eye !== undefined && (
          <IconButton
            className="field__eye"
            icon={isShown ? 'eyeoff' : 'eye'}
            label={isShown ? eye.hide : eye.show}
            size="small"
            isDisabled={props.value === ''}
            onPress={() => setWanted(!isShown)}
          />
        )}
      </div>
      <Below hint={hint} problem={problem} />
    </AriaTextField>
  );
}

export function TextAreaField(props: Omit<TextProps, 'after' | 'look' | 'size'> & { rows?: number }) {
  const { label, labelPlace = 'above', hint, problem, className, placeholder, ...others } = props;
  const { rows = 4, isCode = false, ...rest } = others;
  return (
    <AriaTextField
      {...rest}
      isInvalid={problem !== undefined}
      className={`field field--${labelPlace} ${className ?? ''}`}
    >
      <Label className="field__label">{label}</Label>
      <TextArea
        className="input input--line input--area"
        {...(isCode && codeDirection)}
        rows={rows}
        {...(placeholder === undefined ? {} : { placeholder })}
      />
      <Below hint={hint} problem={problem} />
    </AriaTextField>
  );
}

type NumberProps = Omit<AriaNumberFieldProps, 'children' | 'className' | 'style' | 'isInvalid'> &
  Omit<Common, 'isCode'> & { unit?: string; placeholder?: string; size?: 'regular' | 'large' };

export function NumberField(props: NumberProps) {
  const {
    label,
    labelPlace = 'above',
    hint,
    problem,
    className,
    unit,
    placeholder,
    size = 'large',
    ...rest
  } = props;
  return (
    <AriaNumberField
      {...rest}
      isInvalid={problem !== undefined}
      className={`field field--${labelPlace} ${className ?? ''}`}
    >
      <Label className="field__label">{label}</Label>
      <div className="field__line field__line--unit">
        <Input
          className={`input input--line input--${size} figures`}
          {...(placeholder === undefined ? {} : { placeholder })}
        />
        {unit !== undefined && <span className="field__unit">{unit}</span>}
      </div>
      <Below hint={hint} problem={problem} />
    </AriaNumberField>
  );
}

type SearchProps = Omit<AriaSearchFieldProps, 'children' | 'className' | 'style' | 'aria-label'> & {
  label: string;
  keys?: string;
  className?: string;
};

/** Cleared by its button and by Escape. Shows its shortcut while it is empty. */
export function SearchField({ label, keys, className, ...rest }: SearchProps) {
  return (
    <AriaSearchField {...rest} aria-label={label} className={`search ${className ?? ''}`}>
      <Icon name="search" />
      <Input className="search__text" placeholder={label} />
      <IconButton className="search__clear" icon="x" iconSize={12} label={commonTexts.clearSearch} />
      {keys !== undefined && <KeyHint keys={keys} />}
    </AriaSearchField>
  );
}

export function Below({ hint, problem }: { hint: ReactNode; problem: string | undefined }) {
  if (problem !== undefined) {
    return (
      <FieldError className="field__problem">
        <Icon name="fail" size={12} />
        {problem}
      </FieldError>
    );
  }
  return hint === undefined ? null : (
    <Text slot="description" className="field__hint">
      {hint}
    </Text>
  );
}

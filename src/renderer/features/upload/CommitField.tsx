import { flushSync } from 'react-dom';
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  type ComponentProps,
  type Ref,
} from 'react';
import { TextField } from '../../ui/Field.tsx';
import { leaveField } from '../../ui/focus.ts';

export type CommitFieldHandle = {
  /** Inserts at the caret, or at the end, and moves the caret after it. */
  insert: (text: string) => void;
  /** Discards what is typed. */
  restore: () => void;
};

type CommitFieldProps = Pick<
  ComponentProps<typeof TextField>,
  'label' | 'maxLength' | 'hint' | 'isDisabled' | 'className'
> & {
  /** A new value replaces what is being typed. */
  value: string;
  /** Restores the value if the field is left empty. */
  isRequired?: boolean;
  /** Returns the problem of the text; invalid text is never committed. */
  check?: (typed: string) => string | undefined;
  onProblem?: (isBad: boolean) => void;
  onCommit: (typed: string) => void;
  ref?: Ref<CommitFieldHandle>;
};

/**
 * A field of the sheet without a frame. Commits on Enter and when it loses focus, also by being scrolled away; Escape
 * restores the value.
 */
export function CommitField(all: CommitFieldProps) {
  const { value, isRequired = false, check, onProblem, onCommit, ref, ...props } = all;
  const [state, setState] = useState({ value, typed: value });
  if (state.value !== value) setState({ value, typed: value });
  const { typed } = state;
  const setTyped = (next: string) => setState({ value, typed: next });
  const problem = check?.(typed);
  const isBad = problem !== undefined;
  const commit = () => {
    if (isRequired && typed === '') setTyped(value);
    else if (typed !== value && !isBad) onCommit(typed);
  };
  const tellProblem = useEffectEvent((next: boolean) => onProblem?.(next));
  useEffect(() => tellProblem(isBad), [isBad]);
  const leave = useEffectEvent(commit);
  useEffect(() => () => leave(), []);
  const input = useRef<HTMLInputElement>(null);
  const wasEntered = useRef(false);
  const insert = (text: string) => {
    const field = input.current;
    if (field === null) return;
    const end = wasEntered.current ? (field.selectionEnd ?? typed.length) : typed.length;
    // Insert like typing. After Tab everything is selected; a button press must not replace that, so insert at its end.
    const start = document.activeElement === field ? (field.selectionStart ?? end) : end;
    const next = typed.slice(0, start) + text + typed.slice(end);
    if (next.length > (props.maxLength ?? Infinity)) return;
    field.focus();
    flushSync(() => setTyped(next));
    field.setSelectionRange(start + text.length, start + text.length);
  };
  useImperativeHandle(ref, () => ({ insert, restore: () => setTyped(value) }));
  return (
    <TextField
      {...props}
      inputRef={input}
      problem={problem}
      onFocus={() => (wasEntered.current = true)}
      isCode
      labelPlace="hidden"
      variant="quiet"
      size="regular"
      spellCheck="false"
      value={typed}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed !== value) {
          // Before it loses focus, which would commit the text.
          flushSync(() => setTyped(value));
          leaveField(event.currentTarget);
          return;
        }
        if (event.key === 'Enter') commit();
        // With nothing to restore, Escape closes the sheet.
        else event.continuePropagation();
      }}
    />
  );
}

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
import { leaveField } from '../../ui/leave-field.ts';

export type CommitFieldHandle = {
  /** Writes where the caret is, or at the end, and goes on there. */
  insert: (text: string) => void;
};

type CommitFieldProps = Pick<
  ComponentProps<typeof TextField>,
  'label' | 'maxLength' | 'hint' | 'isDisabled' | 'className'
> & {
  /** When another value comes than the one that was edited, that one counts. */
  value: string;
  /** Left empty, it goes back to its value. */
  isRequired?: boolean;
  /** What is wrong with what is typed, in words; such a text never counts. */
  check?: (typed: string) => string | undefined;
  onProblem?: (isBad: boolean) => void;
  onCommit: (typed: string) => void;
  ref?: Ref<CommitFieldHandle>;
};

/** A quiet field of the sheet. What is typed counts on Enter and when the field is left, also by scrolling it away; Escape takes it back. */
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
    // Typed over like by a key; but entering the field by Tab selects all of it, and who leaves it again means none.
    const start = document.activeElement === field ? (field.selectionStart ?? end) : end;
    const next = typed.slice(0, start) + text + typed.slice(end);
    if (next.length > (props.maxLength ?? Infinity)) return;
    field.focus();
    flushSync(() => setTyped(next));
    field.setSelectionRange(start + text.length, start + text.length);
  };
  useImperativeHandle(ref, () => ({ insert }));
  return (
    <TextField
      {...props}
      inputRef={input}
      problem={problem}
      onFocus={() => (wasEntered.current = true)}
      isCode
      labelPlace="hidden"
      look="quiet"
      size="regular"
      spellCheck="false"
      value={typed}
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && typed !== value) {
          // Before the field is left, which would take what was typed.
          flushSync(() => setTyped(value));
          leaveField(event.currentTarget);
          return;
        }
        if (event.key === 'Enter') commit();
        // Escape with nothing to take back is for the sheet.
        else event.continuePropagation();
      }}
    />
  );
}

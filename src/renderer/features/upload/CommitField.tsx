import { flushSync } from 'react-dom';
import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react';
import { TextField } from '../../ui/Field.tsx';
import { leaveField } from '../../ui/leave-field.ts';

type CommitFieldProps = Pick<
  ComponentProps<typeof TextField>,
  'label' | 'maxLength' | 'hint' | 'isDisabled' | 'className'
> & {
  /** When another value comes than the one that was edited, that one counts. */
  value: string;
  /** Left empty, it goes back to its value. */
  isRequired?: boolean;
  onCommit: (typed: string) => void;
};

/** A quiet field of the sheet. What is typed counts on Enter and when the field is left, also by scrolling it away; Escape takes it back. */
export function CommitField({ value, isRequired = false, onCommit, ...props }: CommitFieldProps) {
  const [state, setState] = useState({ value, typed: value });
  if (state.value !== value) setState({ value, typed: value });
  const { typed } = state;
  const setTyped = (next: string) => setState({ value, typed: next });
  const commit = () => {
    if (isRequired && typed === '') setTyped(value);
    else if (typed !== value) onCommit(typed);
  };
  const leave = useEffectEvent(commit);
  useEffect(() => () => leave(), []);
  return (
    <TextField
      {...props}
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

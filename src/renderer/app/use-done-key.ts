import { useEffect, useEffectEvent, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { doneKeys, isPressed } from '../../shared/keys.ts';

/**
 * Finishes a dialog on Ctrl+Enter or Cmd+Enter anywhere in it; a question over it handles its own keys.
 * @param within a part of the dialog: nothing is finished while another dialog is over it, such as a conflict prompt
 */
export function useDoneKey(onDone: () => void, within: RefObject<Element | null>): void {
  const run = useEffectEvent(onDone);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isPressed(doneKeys, event)) return;
      if (document.querySelector('[role="alertdialog"]') !== null) return;
      const dialog = within.current?.closest('[role="dialog"]');
      if (dialog && event.target instanceof Node && !dialog.contains(event.target)) return;
      // Before the focused field or button handles it.
      event.preventDefault();
      event.stopPropagation();
      // A held key would also confirm the next step, unread.
      if (event.repeat) return;
      flushSync(commitTyped);
      run();
    };
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, [within]);
}

/** Blurs the field: some commit what was typed only when they lose the focus. */
function commitTyped(): void {
  const { activeElement: field } = document;
  if (!(field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus();
}

import { useEffect, useEffectEvent } from 'react';
import { flushSync } from 'react-dom';
import { doneKeys, isPressed } from '../../shared/keys.ts';

/** Finishes a dialog on Ctrl+Enter or Cmd+Enter anywhere in it; a question over it handles its own keys. */
export function useDoneKey(onDone: () => void): void {
  const run = useEffectEvent(onDone);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!isPressed(doneKeys, event)) return;
      if (document.querySelector('[role="alertdialog"]') !== null) return;
      // Before the focused field or button handles it.
      event.preventDefault();
      event.stopPropagation();
      // Held down, it would take the next step too, which nobody has read.
      if (event.repeat) return;
      flushSync(commitTyped);
      run();
    };
    document.addEventListener('keydown', listen, true);
    return () => document.removeEventListener('keydown', listen, true);
  }, []);
}

/** Some fields take what is typed only when they lose the focus. */
function commitTyped(): void {
  const { activeElement: field } = document;
  if (!(field instanceof HTMLInputElement)) return;
  field.blur();
  field.focus();
}

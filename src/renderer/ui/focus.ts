import { createContext } from 'react';

/** Whether the buttons inside are not in the Tab order, as in list rows other than the current one. */
export const OutOfTabOrder = createContext(false);

/** For the first control of a dialog or inline form: the previous focus is gone, so focus must go somewhere. */
export const focusHere = { autoFocus: true };

/** Moves focus from a field to its dialog, so that the next Escape closes the dialog. */
export function leaveField(field: Element): void {
  const dialog = field.closest('[role="dialog"]');
  if (dialog instanceof HTMLElement) dialog.focus();
}

/** Whether the focused element is gone, so that another may take the focus. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.localName === 'main';
}

/** If the focused element is gone, focuses the main part of the screen: Tab and screen readers continue from there. */
export function keepFocus(): void {
  if (document.activeElement === document.body) document.querySelector('main')?.focus();
}

import { createContext } from 'react';

/** Whether the buttons inside are left out of the Tab order, as those of the rows that are not the current one of a list. */
export const OutOfTabOrder = createContext(false);

/** For the first control of a dialog or inline form: the previous focus is gone, so focus must go somewhere. */
export const focusHere = { autoFocus: true };

/** Moves focus from a field to its dialog, so that the next Escape closes the dialog. */
export function leaveField(field: Element): void {
  const dialog = field.closest('[role="dialog"]');
  if (dialog instanceof HTMLElement) dialog.focus();
}

/** Whether what had the focus is gone, so that something else may take it. */
export function isFocusLost(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.localName === 'main';
}

/** If what had the focus is gone, the main part of the screen takes it: Tab and a screen reader go on from there. */
export function keepFocus(): void {
  if (document.activeElement === document.body) document.querySelector('main')?.focus();
}

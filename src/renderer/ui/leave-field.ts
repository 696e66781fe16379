/** Gives the keyboard from a field to the dialog around it, so that the next Escape is for that. */
export function leaveField(field: Element): void {
  const dialog = field.closest('[role="dialog"]');
  if (dialog instanceof HTMLElement) dialog.focus();
}

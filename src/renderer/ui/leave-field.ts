/** Moves focus from a field to its dialog, so that the next Escape closes the dialog. */
export function leaveField(field: Element): void {
  const dialog = field.closest('[role="dialog"]');
  if (dialog instanceof HTMLElement) dialog.focus();
}

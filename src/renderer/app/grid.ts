/** The list in the middle of the window, of objects or of secrets. */
export const gridId = 'objects-grid';

export function focusGrid(): void {
  document.getElementById(gridId)?.focus();
}

/** Id of the list of objects or secrets. */
export const gridId = 'objects-grid';

export function focusGrid(): void {
  document.getElementById(gridId)?.focus();
}

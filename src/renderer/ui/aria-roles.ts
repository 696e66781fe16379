/**
 * Roles for tables and lists built from positioned layers: HTML table and list elements do not allow the wrappers in
 * between.
 */
export const rowGroupRole = { role: 'rowgroup' } as const;
export const rowRole = { role: 'row' } as const;
export const columnHeaderRole = { role: 'columnheader' } as const;
export const cellRole = { role: 'gridcell' } as const;
export const rowHeaderRole = { role: 'rowheader' } as const;
export const gridRole = { role: 'grid' } as const;
export const listBoxRole = { role: 'listbox' } as const;
export const groupRole = { role: 'group' } as const;

export function optionRole(isSelected: boolean) {
  return { role: 'option', 'aria-selected': isSelected } as const;
}

/**
 * The roles of lists that are built of layers: between their parts stand elements that only place them, which the
 * table and list elements of HTML do not allow.
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

/** Long content can be scrolled with the keyboard. */
export const scrollable = { role: 'region', tabIndex: 0 } as const;

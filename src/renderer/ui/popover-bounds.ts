import { createContext, use } from 'react';

/** The dialog that the lists of its fields do not reach beyond; null: the window. */
export const PopoverBounds = createContext<Element | null>(null);

export function usePopoverBounds(): { boundaryElement?: Element } {
  const bounds = use(PopoverBounds);
  return bounds === null ? {} : { boundaryElement: bounds };
}

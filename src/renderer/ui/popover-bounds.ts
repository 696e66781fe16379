import { createContext, use } from 'react';

/** The dialog that bounds the popovers of its fields; null: the window does. */
export const PopoverBounds = createContext<Element | null>(null);

export function usePopoverBounds(): { boundaryElement?: Element } {
  const bounds = use(PopoverBounds);
  return bounds === null ? {} : { boundaryElement: bounds };
}

import { createContext } from 'react';

/** Whether the buttons inside are left out of the Tab order, as those of the rows that are not the current one of a list. */
export const OutOfTabOrder = createContext(false);

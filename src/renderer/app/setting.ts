import type { ReactNode } from 'react';

/** One line of the settings. */
export type Setting = {
  name: string;
  hint?: ReactNode;
  control: ReactNode;
  /** Shown below the row, at full width. */
  below?: ReactNode;
  /** Additional search words. */
  words?: string;
};

import { useEffect } from 'react';
import { create } from 'zustand';

/** How many dialogs are open. */
export const useOpenDialogs = create<{ count: number }>()(() => ({ count: 0 }));

/** For a dialog, while it is mounted. */
export function useCountedDialog(): void {
  useEffect(() => {
    const change = (by: 1 | -1) => useOpenDialogs.setState(({ count }) => ({ count: count + by }));
    change(1);
    return () => change(-1);
  }, []);
}

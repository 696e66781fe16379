import { useLayoutEffect } from 'react';

/** How many components want each class now. */
const wanted = new Map<string, number>();

/**
 * Puts a class on the document's root while mounted and `isOn`, for rules about the whole window. A rule like `:root:has(.drop)` would
 * have every element styled again whenever any element is added.
 */
export function useRootClass(name: string, isOn = true): void {
  useLayoutEffect(() => {
    if (!isOn) return undefined;
    const change = (by: 1 | -1) => {
      const count = (wanted.get(name) ?? 0) + by;
      wanted.set(name, count);
      document.documentElement.classList.toggle(name, count > 0);
    };
    change(1);
    return () => change(-1);
  }, [name, isOn]);
}

declare global {
  interface Window {
    /** Put there by public/early.js: whether files that are dropped are held, and those that are. */
    cofferDrops?: { isEarly: boolean; held: File[] };
  }
}

/** What was dropped before anybody was there, for who takes files from here on. */
export function takeHeldDrops(): File[] {
  endEarlyDrops();
  return window.cofferDrops?.held.splice(0) ?? [];
}

/** The page knows what it shows: from now on files come only where somebody says so. */
export function endEarlyDrops(): void {
  if (window.cofferDrops) window.cofferDrops.isEarly = false;
}

declare global {
  interface Window {
    /** Set by public/early.js: whether drops are being held, and the held files. */
    cofferDrops?: { isEarly: boolean; held: File[] };
  }
}

/** Returns files dropped before anything could handle them. */
export function takeHeldDrops(): File[] {
  endEarlyDrops();
  return window.cofferDrops?.held.splice(0) ?? [];
}

/** From now on files can only be dropped on components that accept them. */
export function endEarlyDrops(): void {
  if (window.cofferDrops) window.cofferDrops.isEarly = false;
}

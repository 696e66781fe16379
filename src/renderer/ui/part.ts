import { useCallback, useRef, type RefObject } from 'react';
import { useLandmark, type AriaLandmarkRole } from 'react-aria/useLandmark';

const controls = '[tabindex="0"], a[href], button:not(:disabled), input:not(:disabled)';

interface Part {
  readonly role: AriaLandmarkRole;
  readonly label?: string;
  /** Selector of the control to focus first; default: the first control. */
  readonly begins?: string;
}

/**
 * A landmark in the F6 cycle (Shift+F6 goes back). Focus returns to where it last was inside, else to the initial
 * control.
 */
export function usePart<E extends HTMLElement>(part: Part) {
  const ref = useRef<E>(null);
  return { ...usePartAt(ref, part), ref };
}

function usePartAt(ref: RefObject<HTMLElement | null>, { role, label, begins }: Part) {
  const focus = useCallback(() => {
    const first = begins === undefined ? null : ref.current?.querySelector<HTMLElement>(begins);
    (first ?? ref.current?.querySelector<HTMLElement>(controls))?.focus();
  }, [ref, begins]);
  return useLandmark({ role, focus, ...(label !== undefined && { 'aria-label': label }) }, ref).landmarkProps;
}

/** Makes an element a landmark while mounted: a landmark without controls would end the F6 cycle. */
export function PartWhile({ at, ...part }: Part & { at: RefObject<HTMLElement | null> }) {
  usePartAt(at, part);
  return null;
}

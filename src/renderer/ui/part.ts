import { useCallback, useRef, type RefObject } from 'react';
import { useLandmark, type AriaLandmarkRole } from 'react-aria/useLandmark';

const controls = '[tabindex="0"], a[href], button:not(:disabled), input:not(:disabled)';

interface Part {
  readonly role: AriaLandmarkRole;
  readonly label?: string;
  /** The control where a person begins; without it the first one. */
  readonly begins?: string;
}

/** A part of the window that F6 goes to, and Shift+F6 back: to where the focus was in it last, or where it begins. */
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

/** An element that is a part while this stands: one without controls would end the round. */
export function PartWhile({ at, ...part }: Part & { at: RefObject<HTMLElement | null> }) {
  usePartAt(at, part);
  return null;
}

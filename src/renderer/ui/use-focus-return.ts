import { useEffect, useRef, useState } from 'react';

/**
 * For a question that stands over the window: when it goes, the keyboard goes back to what had it.
 * @param orElse when that is not there any more: the button went with what it was about
 * @param isOpenerLeaving it is still there, and goes at once
 */
export function useFocusReturn(orElse: () => void, isOpenerLeaving = () => false): void {
  const [opener] = useState(() => document.activeElement);
  const latest = useRef({ orElse, isOpenerLeaving });
  useEffect(() => {
    latest.current = { orElse, isOpenerLeaving };
  });
  useEffect(
    () => () => {
      // Until the question has let go of the window, nothing under it takes the keyboard.
      requestAnimationFrame(() => {
        const { orElse: giveTo, isOpenerLeaving: isLeaving } = latest.current;
        const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
        if (isThere && !isLeaving()) opener.focus();
        else giveTo();
      });
    },
    [opener],
  );
}

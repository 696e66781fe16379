import { useEffect, useRef, useState } from 'react';
import { isFocusLost } from './focus.ts';

/**
 * Restores focus when a dialog over the window closes.
 * @param orElse called when the opener is gone, for example removed together with its row
 * @param isOpenerLeaving whether the opener, though still there, is about to go
 */
export function useFocusReturn(orElse: () => void, isOpenerLeaving = () => false): void {
  const [opener] = useState(() => (isFocusLost() ? null : document.activeElement));
  const latest = useRef({ orElse, isOpenerLeaving });
  useEffect(() => {
    latest.current = { orElse, isOpenerLeaving };
  });
  useEffect(
    () => () => {
      // The closing dialog still blocks focus outside itself during this frame.
      requestAnimationFrame(() => {
        const { orElse: giveTo, isOpenerLeaving: isLeaving } = latest.current;
        const isThere = opener instanceof HTMLElement && opener.isConnected;
        if (isThere && !isLeaving()) opener.focus();
        else giveTo();
      });
    },
    [opener],
  );
}

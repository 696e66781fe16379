import { useEffect, useEffectEvent, useState } from 'react';

/**
 * For a question that stands over the window: when it goes, the keyboard goes back to what had it.
 * @param orElse when that is not there any more: the button went with what it was about
 * @param isOpenerLeaving it is still there, and goes at once
 */
export function useFocusReturn(orElse: () => void, isOpenerLeaving = () => false): void {
  const [opener] = useState(() => document.activeElement);
  const giveBack = useEffectEvent(() => {
    const canReturn = opener instanceof HTMLElement && opener !== document.body && opener.isConnected;
    if (canReturn && !isOpenerLeaving()) opener.focus();
    else orElse();
  });
  useEffect(() => () => giveBack(), []);
}

import { useEffect, useEffectEvent } from 'react';
import { useClient } from '../../app/client.ts';

/**
 * Calls `hide` when somebody else might look: the window lost focus, is hidden, or main says so (locked, minimised).
 */
export function useHideSignals(hide: () => void): void {
  const client = useClient();
  const onSignal = useEffectEvent(hide);
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener('blur', () => onSignal(), { signal });
    document.addEventListener('visibilitychange', () => onSignal(), { signal });
    const stop = client.on('secrets.hide', () => onSignal());
    return () => {
      listening.abort();
      stop();
    };
  }, [client]);
}

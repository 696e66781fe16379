import { useCallback, useState } from 'react';
import type { AppError } from '../../shared/errors.ts';
import { errorLine } from '../../shared/i18n/error-text.ts';
import { announce } from '../ui/announce.tsx';
import { asAppError } from './remote-store.ts';

/** An action that takes a moment and may fail. `run` and `clear` stay the same. */
export type Act = {
  isRunning: boolean;
  error: AppError | null;
  /** @returns whether it worked; a failure is stored and announced, never thrown */
  run: (work: () => Promise<void>) => Promise<boolean>;
  clear: () => void;
};

export function useAct(): Act {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<AppError | null>(null);
  const clear = useCallback(() => setError(null), []);
  const run = useCallback(async (work: () => Promise<void>) => {
    setRunning(true);
    setError(null);
    try {
      await work();
      return true;
    } catch (cause) {
      const failure = asAppError(cause);
      if (failure.code !== 'cancelled') {
        setError(failure);
        announce(errorLine(failure), 'assertive', { isOnScreen: true });
      }
      return false;
    } finally {
      setRunning(false);
    }
  }, []);
  return { isRunning, error, run, clear };
}

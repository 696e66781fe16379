import { useEffect, useState } from 'react';
import type { SelectionMix } from '../../../../shared/contract.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';

/** Delay in ms before a reload: while transfers run, rows change many times a second. */
const settledMs = 500;

/**
 * A summary of a selection from main, kept up to date; null: not loaded yet, or nothing is selected. Shows the
 * previous one until the next is loaded, so that nothing flickers while a selection grows.
 */
export function useSelectionMix(selection: Selection | null): SelectionMix | null {
  const client = useClient();
  const [mix, setMix] = useState<SelectionMix | null>(null);
  useEffect(() => {
    if (selection === null) return undefined;
    let live = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      client.call('objects.mixOf', { selection }).then(
        (found) => live && setMix(found),
        () => undefined, // the list shows the error
      );
    };
    const stop = client.on('objects.changed', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        ask();
      }, settledMs);
    });
    ask();
    return () => {
      live = false;
      stop();
      clearTimeout(timer);
    };
  }, [client, selection]);
  return selection === null ? null : mix;
}

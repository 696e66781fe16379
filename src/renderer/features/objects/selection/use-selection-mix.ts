import { useEffect, useState } from 'react';
import type { SelectionMix } from '../../../../shared/contract.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';

/** While transfers run, rows change many times a second. */
const settledMs = 500;

/**
 * What a selection is made of, asked of main and kept up to date; null until it is known, or when there is none. Shows the one
 * before until the next has come, so that nothing flickers while a selection grows.
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
        () => undefined, // the list says what is wrong
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

import { useCallback, useEffect, useState } from 'react';
import type { Output } from '../../../../shared/contract.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { useClient } from '../../../app/client.ts';
import { asAppError } from '../../../app/remote-store.ts';

type Details = Output<'objects.get'>;

/** An object and its history, kept up to date. Shows the previous object until the next is loaded. */
export function useObjectDetails(id: number | null) {
  const client = useClient();
  const [details, setDetails] = useState<Details | null>(null);
  const [error, setError] = useState<AppError | null>(null);
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => setTurn((before) => before + 1), []);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = client.on('objects.changed', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh();
      }, 125);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client, refresh]);

  useEffect(() => {
    let live = true;
    if (id === null) return undefined;
    client.call('objects.get', { id }).then(
      (found) => {
        if (!live) return;
        setDetails(found);
        setError(null);
      },
      (cause: unknown) => {
        if (!live) return;
        setDetails(null);
        setError(asAppError(cause));
      },
    );
    return () => {
      live = false;
    };
  }, [client, id, turn]);

  return { details: id === null ? null : details, error: id === null ? null : error, refresh };
}

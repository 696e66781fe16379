import { useEffect, useState } from 'react';
import type { ObjectRow, PartsShown } from '../../../../shared/contract.ts';
import { useClient } from '../../../app/client.ts';

/** The chunks of an object, reloaded after each check and while it is transferred; null: it is stored whole. */
export function useObjectParts(object: ObjectRow): PartsShown | null {
  const client = useClient();
  const [shown, setShown] = useState<{ id: number; parts: PartsShown | null } | null>(null);
  const { id, kind } = object;
  const mayBeInParts = kind === 'data' && (object.parts !== undefined || object.transfer !== null);
  const isMoving = object.transfer !== null;

  useEffect(() => {
    if (!mayBeInParts) return undefined;
    let live = true;
    const ask = () => {
      client.call('objects.parts', { id }).then(
        ({ parts }) => live && setShown({ id, parts }),
        // The object itself shows the error.
        () => undefined,
      );
    };
    ask();
    const timer = isMoving ? setInterval(ask, 1000) : undefined;
    return () => {
      live = false;
      clearInterval(timer);
    };
  }, [client, id, mayBeInParts, isMoving, object]);

  return mayBeInParts && shown?.id === id ? shown.parts : null;
}

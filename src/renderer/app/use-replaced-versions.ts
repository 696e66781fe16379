import { useEffect, useState } from 'react';
import { useClient, type Client } from './client.ts';

/**
 * Loads something about undo copies, and again whenever they change; null: not loaded yet, or failed.
 * @param ask pass the same function until something else is to be loaded
 */
export function useUndoCopies<T>(ask: (client: Client) => Promise<T>): T | null {
  const client = useClient();
  const [answer, setAnswer] = useState<{ ask: typeof ask; value: T } | null>(null);
  useEffect(() => {
    let isLive = true;
    const load = () =>
      void ask(client).then(
        (value) => isLive && setAnswer({ ask, value }),
        () => isLive && setAnswer(null),
      );
    load();
    const stop = client.on('undo.changed', load);
    return () => {
      isLive = false;
      stop();
    };
  }, [client, ask]);
  return answer?.ask === ask ? answer.value : null;
}

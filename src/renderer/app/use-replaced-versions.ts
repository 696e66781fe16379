import { useEffect, useState } from 'react';
import { useClient, type Client } from './client.ts';

/**
 * An answer about what is kept on this computer, asked for again whenever that changes; null: there is none yet, or it could not be had.
 * @param ask the same function for the same question
 */
export function useKept<T>(ask: (client: Client) => Promise<T>): T | null {
  const client = useClient();
  const [answer, setAnswer] = useState<{ ask: typeof ask; value: T } | null>(null);
  useEffect(() => {
    let isLive = true;
    const look = () =>
      void ask(client).then(
        (value) => isLive && setAnswer({ ask, value }),
        () => isLive && setAnswer(null),
      );
    look();
    const stop = client.on('undo.changed', look);
    return () => {
      isLive = false;
      stop();
    };
  }, [client, ask]);
  return answer?.ask === ask ? answer.value : null;
}

import { createContext, useContext, useEffect, useState, type ReactNode } from 'react';
import { useClient } from '../client.ts';

const none: readonly string[] = [];

const ListedContext = createContext(none);

/** The classifications in the service's order; empty until known. The picker explains failures. */
export function useListedClasses(): readonly string[] {
  return useContext(ListedContext);
}

/** Loads them once for all components below. */
export function ListedClasses({ serviceId, children }: { serviceId: string; children: ReactNode }) {
  const client = useClient();
  const [known, setKnown] = useState<{ of: string; values: readonly string[] } | null>(null);
  useEffect(() => {
    let live = true;
    const load = () =>
      client.call('classifications.list', { serviceId, folder: '', refresh: false }).then(
        ({ values }) => live && setKnown({ of: serviceId, values: values.map(({ value }) => value) }),
        () => undefined,
      );
    void load();
    // The service's address may have changed.
    const stop = client.on('services.changed', () => void load());
    return () => {
      live = false;
      stop();
    };
  }, [client, serviceId]);
  return <ListedContext value={known?.of === serviceId ? known.values : none}>{children}</ListedContext>;
}

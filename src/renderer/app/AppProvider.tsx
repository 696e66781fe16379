import { useEffect, useState, type ReactNode } from 'react';
import { ClientProvider, type Client } from './client.ts';
import { createStores, stopStores, StoresProvider, type Stores } from './stores.ts';

/** The client and the stores over it, for everything below; also for a component under test. */
export function AppProvider({ client, children }: { client: Client; children: ReactNode }) {
  const [stores, setStores] = useState<Stores | null>(null);
  useEffect(() => {
    const created = createStores(client);
    setStores(created);
    return () => stopStores(created);
  }, [client]);
  return stores === null ? null : (
    <ClientProvider value={client}>
      <StoresProvider value={stores}>{children}</StoresProvider>
    </ClientProvider>
  );
}

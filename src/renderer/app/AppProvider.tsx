import { useEffect, useState, type ReactNode } from 'react';
import { ClientProvider, type Client } from './client.ts';
import { createStores, startStores, StoresProvider } from './stores.ts';

/** Provides the client and its stores, also for a component under test. */
export function AppProvider({ client, children }: { client: Client; children: ReactNode }) {
  const [stores] = useState(() => createStores(client));
  useEffect(() => startStores(stores), [stores]);
  return (
    <ClientProvider value={client}>
      <StoresProvider value={stores}>{children}</StoresProvider>
    </ClientProvider>
  );
}

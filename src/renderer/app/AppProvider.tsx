import { useEffect, useState, type ReactNode } from 'react';
import { ClientProvider, type Client } from './client.ts';
import { createStores, startStores, StoresProvider } from './stores.ts';

/** The client and the stores over it, for everything below; also for a component under test. */
export function AppProvider({ client, children }: { client: Client; children: ReactNode }) {
  const [stores] = useState(() => createStores(client));
  useEffect(() => startStores(stores), [stores]);
  return (
    <ClientProvider value={client}>
      <StoresProvider value={stores}>{children}</StoresProvider>
    </ClientProvider>
  );
}

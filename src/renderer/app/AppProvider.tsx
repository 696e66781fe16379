import { useEffect, useState, type ReactNode } from 'react';
import { ClientProvider, type Client } from './client.ts';
import { FeaturesProvider, type WindowFeature } from './slots.tsx';
import { createStores, startStores, StoresProvider } from './stores.ts';

/** Provides the client, its stores and the optional features, also for a component under test. */
export function AppProvider(props: {
  client: Client;
  features: readonly WindowFeature[];
  children: ReactNode;
}) {
  const { client, features, children } = props;
  const [stores] = useState(() =>
    createStores(
      client,
      features.flatMap((feature) => feature.stores ?? []),
    ),
  );
  useEffect(() => startStores(stores), [stores]);
  return (
    <ClientProvider value={client}>
      <StoresProvider value={stores}>
        <FeaturesProvider value={features}>{children}</FeaturesProvider>
      </StoresProvider>
    </ClientProvider>
  );
}

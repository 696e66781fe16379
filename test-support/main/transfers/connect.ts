import type { Connections, ConnectionVerdict } from '../../../src/main/connections/connections.ts';
import type { ServiceClient } from '../../../src/main/service/client.ts';

export const serviceId = 'service';

/** The service's settings; tests may change them. */
export interface Facts {
  allowsParts: boolean;
  maxObjectBytes: number | null;
}

/** The connections of one service over one client. */
export function connectTo(
  client: ServiceClient,
  downloadFolder: string,
  origin = 'http://service',
  maxObjectBytes: number | null = null,
): Connections & { verdicts: ConnectionVerdict[]; facts: Facts; ready(): void } {
  const listeners = new Set<(id: string) => void>();
  const verdicts: ConnectionVerdict[] = [];
  const facts: Facts = { allowsParts: true, maxObjectBytes };
  return {
    verdicts,
    facts,
    ready() {
      for (const listener of listeners) listener(serviceId);
    },
    openFor: () => Promise.resolve({ client, origin }),
    originOf: () => origin,
    serviceIds: () => [serviceId],
    clientOf: () => Promise.resolve(client),
    momentOf: (_id, ownMs) => client.momentOf(ownMs),
    factsOf: (id) =>
      Promise.resolve({
        id,
        name: 'Test',
        maxSecretBytes: null,
        ...facts,
        identifierTemplate: '{path}',
        separator: '/',
        versionMark: '@{number}',
        downloadFolder,
        downloadFolderIsDefault: false,
      }),
    report: (_id, verdict) => verdicts.push(verdict),
    onReady(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

import { createHash } from 'node:crypto';
import { perObject } from '../lib/per-object.ts';
import { localOrigin } from './origins.ts';
import type { StoredService } from './service-repository.ts';

type Route = Pick<
  StoredService,
  'isLocal' | 'baseAddress' | 'insecureAllowed' | 'proxy' | 'authority' | 'clientCertificate'
>;

/**
 * Digest of all settings that decide who gets to see a service's token. The built-in service has one route, whatever its port: its
 * token never leaves this computer.
 */
export const routeOf = perObject((service: Route): string => {
  const { isLocal, baseAddress, insecureAllowed, proxy, authority, clientCertificate } = service;
  if (isLocal) return localOrigin;
  const settings = [
    baseAddress,
    insecureAllowed,
    proxy.kind === 'own' ? ['own', proxy.address] : [proxy.kind],
    authority?.pem ?? null,
    clientCertificate?.digest ?? null,
  ];
  return createHash('sha256').update(JSON.stringify(settings)).digest('base64url');
});

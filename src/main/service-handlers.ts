import { AppFailure } from '../shared/app-failure.ts';
import type { AppErrorOf } from '../shared/errors.ts';
import type { BulkOperations } from './bulk-operations/bulk-operations.ts';
import { createProxyHandlers } from './connections/proxy-handlers.ts';
import { createServices } from './connections/services.ts';
import type { Host } from './host.ts';

type Unfinished = AppErrorOf<'serviceUnfinished'>['work'][number];

/** How many identifiers an error names. */
const maxNamed = 5;

/** Set-up services and their proxies. Removing one ends what every feature does for it. */
export function services(host: Host, bulk: Pick<BulkOperations, 'cancelService'>) {
  const { catalogue, credentials, engine, serviceLock, signals, undoCopies } = host;
  const own = createServices({
    ...host,
    lock: serviceLock,
    checks: host.checksServices,
    async onRemove(serviceId) {
      await engine.removeService(serviceId);
      await undoCopies.removeService(serviceId);
      await signals.removeService(serviceId);
      // Ends imports, so that late rows do not bring the list back.
      await catalogue.closeService(serviceId);
    },
    requireMovable: (serviceId) => signals.requireChangeable(serviceId, 'move'),
    requireShared: (serviceId) => signals.requireChangeable(serviceId, 'remove'),
    requireFinished: (serviceId) => requireFinished(host, serviceId),
    unfinishedOf: engine.unfinishedOf,
    async cancelUnfinished(serviceId) {
      await bulk.cancelService(serviceId);
      await engine.actions.cancel({ kind: 'service', serviceId });
    },
  });
  host.onServicesChanged(() => own.publishChanged());
  own.start();
  return {
    handlers: { ...own.handlers, ...createProxyHandlers(host) },
    keychain: () => ({ error: credentials.keychainError(), tokens: own.countStoredTokens() }),
  };
}

/**
 * Refuses to remove a service while something of it exists only on this computer, or at the service under an identifier
 * that only its transfer knows. @throws AppFailure serviceUnfinished
 */
async function requireFinished({ engine, undoCopies, signals }: Host, serviceId: string): Promise<void> {
  const replaces = await engine.halfReplacedOf(serviceId);
  const work = [
    named(
      'replace',
      replaces.map(({ identifier }) => identifier),
      replaces.flatMap(({ copies }) => copies),
    ),
    named('undo', await undoCopies.onlyHere(serviceId)),
    named('edit', signals.unsavedOf(serviceId)),
    named('secret', await engine.unsentSecretsOf(serviceId)),
  ].filter(({ count }) => count > 0);
  if (work.length > 0) throw new AppFailure({ code: 'serviceUnfinished', work });
}

function named(
  what: Unfinished['what'],
  identifiers: readonly string[],
  copies: readonly string[] = [],
): Unfinished {
  const shown = identifiers.slice(0, maxNamed);
  return { what, identifiers: shown, count: identifiers.length, copies: copies.slice(0, maxNamed) };
}

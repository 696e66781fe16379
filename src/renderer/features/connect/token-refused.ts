import type { TransferSummary } from '../../../shared/domain/transfer.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { needsToken } from '../../i18n/cause-text.ts';
import { useServices, useTransferSummary } from '../../app/stores.ts';

/** The service that waits for a token, the one that is shown first; null when none does. */
export function useTokenNeeded(): Service | null {
  const { services, active } = useServices();
  const waiting = useTransferSummary()?.tokenRefused ?? [];
  const needsToken = ({ id, connection }: Service) =>
    connection === 'tokenRefused' || connection === 'tokenMissing' || waiting.includes(id);
  return active !== null && needsToken(active)
    ? active
    : (services.find(({ id }) => waiting.includes(id)) ?? null);
}

/**
 * How many wait for the token of this service: those of the dock's entry, which says the same. What waits for another service or is
 * paused is not meant. One alone has no entry, and is told from the others only where there is no other service.
 */
export function countWaiting(summary: TransferSummary | null, serviceId: string, isOnly: boolean): number {
  if (summary === null) return 0;
  const { causes, counts } = summary.transfers;
  const entry = causes.find(
    (cause) => cause.serviceId === serviceId && cause.group === 'waiting' && needsToken(cause),
  );
  return entry?.count ?? (isOnly ? counts.waiting : 0);
}

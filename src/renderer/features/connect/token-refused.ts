import type { TransferSummary } from '../../../shared/domain/transfer-summary.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { needsToken } from '../../i18n/cause-text.ts';
import { useServices, useTransferSummary } from '../../app/stores.ts';

/** The service that needs a token, preferring the active one; null: none. */
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
 * The number of transfers that wait for this service's token, equal to that of the dock's entry. Transfers of other
 * services and paused ones do not count. A single transfer has no entry, and can only be counted if there is no other
 * service.
 */
export function countWaiting(summary: TransferSummary | null, serviceId: string, isOnly: boolean): number {
  if (summary === null) return 0;
  const { causes, counts } = summary.transfers;
  const entry = causes.find(
    (cause) => cause.serviceId === serviceId && cause.group === 'waiting' && needsToken(cause),
  );
  return entry?.count ?? (isOnly ? counts.waiting : 0);
}

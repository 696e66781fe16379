import type { TransferSummary } from '../../../shared/domain/transfer.ts';
import type { Profile } from '../../../shared/domain/service.ts';
import { needsToken } from '../../i18n/cause-text.ts';
import { useProfiles, useTransferSummary } from '../../app/stores.ts';

/** The service that waits for a token, the one that is shown first; null when none does. */
export function useTokenNeeded(): Profile | null {
  const { profiles, active } = useProfiles();
  const waiting = useTransferSummary()?.tokenRefused ?? [];
  const needsToken = ({ id, connection }: Profile) =>
    connection === 'tokenRefused' || connection === 'tokenMissing' || waiting.includes(id);
  return active !== null && needsToken(active)
    ? active
    : (profiles.find(({ id }) => waiting.includes(id)) ?? null);
}

/**
 * How many wait for the token of this service: those of the dock's entry, which says the same. What waits for another service or is
 * paused is not meant. One alone has no entry, and is told from the others only where there is no other service.
 */
export function countWaiting(summary: TransferSummary | null, profileId: string, isOnly: boolean): number {
  if (summary === null) return 0;
  const { causes, counts } = summary.transfers;
  const entry = causes.find(
    (cause) => cause.profileId === profileId && cause.group === 'waiting' && needsToken(cause),
  );
  return entry?.count ?? (isOnly ? counts.waiting : 0);
}

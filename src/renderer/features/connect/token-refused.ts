import type { Profile } from '../../../shared/domain/profile.ts';
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

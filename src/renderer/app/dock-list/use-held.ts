import { useCallback } from 'react';
import { useTransferSummary } from '../stores.ts';

/** Whether everything of a service is paused, by whatever: the bar says so, and its entries need not. */
export function useHeld(): (profileId: string) => boolean {
  const paused = useTransferSummary()?.paused;
  return useCallback(
    (profileId) =>
      paused !== undefined && (paused.all || paused.byHour || paused.profileIds.includes(profileId)),
    [paused],
  );
}

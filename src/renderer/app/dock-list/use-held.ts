import { useCallback } from 'react';
import { useTransferSummary } from '../stores.ts';

/** Whether everything of a service is paused, for any reason. The pause bar says so; its entries need not. */
export function useHeld(): (serviceId: string) => boolean {
  const paused = useTransferSummary()?.paused;
  return useCallback(
    (serviceId) =>
      paused !== undefined && (paused.all || paused.byHour || paused.serviceIds.includes(serviceId)),
    [paused],
  );
}

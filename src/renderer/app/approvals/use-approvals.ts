import { useEffect } from 'react';
import type { Approval } from '../../../shared/domain/approval.ts';
import { useMirror, useStores } from '../stores.ts';

const none: readonly Approval[] = [];

/** What holds now. Main ends it by time without saying so, so it is asked when the next one is due. */
export function useApprovals(): readonly Approval[] {
  const { approvals: mirror } = useStores();
  const approvals = useMirror(mirror).value?.approvals ?? none;
  const nextMs = Math.min(...approvals.map(({ endsAtMs }) => endsAtMs));
  useEffect(() => {
    if (nextMs === Infinity) return undefined;
    const timer = setTimeout(() => void mirror.refresh(), Math.max(0, nextMs - Date.now()) + 500);
    return () => clearTimeout(timer);
  }, [mirror, nextMs, approvals]);
  return approvals;
}

import { leftMs } from '../../clock.ts';
import type { Context } from '../run/context.ts';
import { maxDelayMs } from '../model/back-off.ts';
import { isAhead, type ActiveTransfer } from '../model/active-transfer.ts';
import type { Pauses } from '../queue/pauses.ts';
import { deferredOf, type TransferRecord } from '../model/record.ts';
import { traitsOf } from '../model/state-traits.ts';
import type { WaitingReason } from './view.ts';

/** Why it does not run. Computed, never stored: conditions of the service come before the record's own. */
export function waitingReasonOf(
  { breakers, clock }: Pick<Context, 'breakers' | 'clock'>,
  pauses: Pauses,
  record: TransferRecord,
  entry: ActiveTransfer | null,
): WaitingReason {
  const { waitingFor } = traitsOf(record.state);
  if (waitingFor) return { waitingFor, untilMs: null, error: null };
  const breaker = breakers.of(record.serviceId);
  const state = breaker.state();
  if (state === 'refused') return { waitingFor: 'token', untilMs: null, error: breaker.trouble() };
  const isNew = record.state.name === 'waiting' || entry === null || isAhead(entry);
  if (isNew && (record.isPaused || pauses.isPaused(record.serviceId)) && record.kind === 'data')
    return { waitingFor: 'paused', untilMs: null, error: null };
  const heldUntilMs = breaker.heldUntilMs();
  if (heldUntilMs !== null && heldUntilMs > clock.nowMs()) {
    return {
      waitingFor: state === 'unreachable' ? 'network' : 'retry',
      untilMs: heldUntilMs,
      error: breaker.trouble(),
    };
  }
  const nowMs = clock.nowMs();
  const ownMs = entry
    ? nowMs + Math.max(entry.dueMs - clock.monotonicMs(), 0)
    : record.nextAtMs && nowMs + leftMs(record.nextAtMs, nowMs, maxDelayMs);
  if (record.trouble && ownMs !== null && ownMs > nowMs) {
    return { waitingFor: 'retry', untilMs: ownMs, error: record.trouble };
  }
  return { waitingFor: 'turn', untilMs: deferredOf(record) ? ownMs : null, error: null };
}

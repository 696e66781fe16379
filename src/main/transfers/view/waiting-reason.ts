import { leftMs } from '../../clock.ts';
import type { Context } from '../run/context.ts';
import { maxDelayMs } from '../model/back-off.ts';
import { isAhead, type Entry } from '../model/active-transfer.ts';
import type { Pauses } from '../queue/pauses.ts';
import { deferredOf, type TransferRecord } from '../model/record.ts';
import { traitsOf } from '../model/state-traits.ts';
import type { Standstill } from './view.ts';

/** Why it does not run. Computed, never stored: what is so of its service comes before what is so of it alone. */
export function standstillOf(
  { gates, clock }: Pick<Context, 'gates' | 'clock'>,
  pauses: Pauses,
  record: TransferRecord,
  entry: Entry | null,
): Standstill {
  const { waitingFor } = traitsOf(record.state);
  if (waitingFor) return { waitingFor, untilMs: null, error: null };
  const gate = gates.of(record.profileId);
  const state = gate.state();
  if (state === 'refused') return { waitingFor: 'token', untilMs: null, error: gate.trouble() };
  const isNew = record.state.name === 'waiting' || entry === null || isAhead(entry);
  if (isNew && (record.isPaused || pauses.isPaused(record.profileId)) && record.kind === 'data')
    return { waitingFor: 'paused', untilMs: null, error: null };
  const heldUntilMs = gate.heldUntilMs();
  if (heldUntilMs !== null && heldUntilMs > clock.nowMs()) {
    return {
      waitingFor: state === 'unreachable' ? 'network' : 'retry',
      untilMs: heldUntilMs,
      error: gate.trouble(),
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

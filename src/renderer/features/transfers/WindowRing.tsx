import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import { deferredWindowMs, warnBeforeMs } from '../../../shared/domain/limits.ts';
import type { Transfer, TransferState } from '../../../shared/domain/transfer.ts';
import { formatCount, formatRemaining, formatStopwatch } from '../../../shared/i18n/format.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Ring } from '../../ui/Progress.tsx';
import { isHeldUp } from './transfer-text.ts';

const [amberMs, redMs] = warnBeforeMs;

type RingLook = {
  /** Remaining share of the window, 1 to 0; null: not begun, drawn dotted. */
  left: number | null;
  tone: 'moving' | 'wait' | 'bad' | 'ok' | 'idle';
  /** In the centre: the remaining time, short and in words, or an icon. */
  inside: { text: string; words: string } | { icon: IconName };
};

/** The time window of a deferred request, which empties with time: teal, amber from 10 minutes, red from 2. */
export function WindowRing({ transfer, nowMs }: { transfer: Transfer; nowMs: number }) {
  const { left, tone, inside } = lookOf(transfer, nowMs);
  return (
    <span className={`job__ring job__ring--${tone}`} title={'words' in inside ? inside.words : undefined}>
      {'text' in inside ? (
        <>
          <Ring left={left} tone={tone}>
            {inside.text}
          </Ring>
          <span className="visually-hidden">{inside.words}</span>
        </>
      ) : (
        <>
          <Ring left={left} tone={tone} />
          <Icon name={inside.icon} />
        </>
      )}
    </span>
  );
}

const over: Partial<Record<TransferState, RingLook>> = {
  done: { left: 0, tone: 'ok', inside: { icon: 'check' } },
  lost: { left: 0, tone: 'bad', inside: { icon: 'x' } },
  failed: { left: 0, tone: 'bad', inside: { icon: 'fail' } },
  cancelled: { left: 0, tone: 'idle', inside: { icon: 'x' } },
};

function lookOf(transfer: Transfer, nowMs: number): RingLook {
  const { state, window } = transfer;
  return (
    over[state] ?? (window === null ? notBegun(transfer) : counting(window.endsAtMs - nowMs, window.isPast))
  );
}

function notBegun(transfer: Transfer): RingLook {
  const { state, direction, waitingFor } = transfer;
  if (state !== 'waiting' && !isHeldUp(transfer))
    return { left: null, tone: 'moving', inside: { icon: direction === 'upload' ? 'up' : 'dn' } };
  if (waitingFor === 'token') return { left: null, tone: 'wait', inside: { icon: 'pause' } };
  return { left: null, tone: waitingFor === 'turn' ? 'idle' : 'wait', inside: { icon: 'clock' } };
}

function counting(leftMs: number, isPast: boolean): RingLook {
  if (isPast || leftMs <= 0) return { left: 0, tone: 'bad', inside: { icon: 'clock' } };
  return {
    left: leftMs / deferredWindowMs,
    tone: leftMs <= redMs ? 'bad' : leftMs <= amberMs ? 'wait' : 'moving',
    inside: {
      text: leftMs <= redMs ? formatStopwatch(leftMs) : formatCount(Math.floor(leftMs / 60_000)),
      words: texts.windowLeft({ duration: formatRemaining(leftMs) }),
    },
  };
}

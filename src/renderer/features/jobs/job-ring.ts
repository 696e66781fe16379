import { jobTexts } from '../../i18n/job-texts.ts';
import { warnBeforeMs, type Job, type JobState } from '../../../shared/domain/job.ts';
import { deferredWindowMs } from '../../../shared/domain/limits.ts';
import { formatCount, formatRemaining, formatStopwatch } from '../../../shared/i18n/format.ts';
import type { IconName } from '../../ui/icons.tsx';
import { isHeldUp } from './job-text.ts';

const [amberMs, redMs] = warnBeforeMs;

type JobRing = {
  /** 1 to 0 of the window; null: it has not begun, dotted. */
  left: number | null;
  tone: 'moving' | 'wait' | 'bad' | 'ok' | 'idle';
  /** Inside: what is left, shortly and in words, or how it stands. */
  inside: { text: string; words: string } | { icon: IconName };
};

const over: Partial<Record<JobState, JobRing>> = {
  done: { left: 0, tone: 'ok', inside: { icon: 'check' } },
  lost: { left: 0, tone: 'bad', inside: { icon: 'x' } },
  failed: { left: 0, tone: 'bad', inside: { icon: 'fail' } },
  cancelled: { left: 0, tone: 'idle', inside: { icon: 'x' } },
};

/** A ring empties with time: teal, amber from 10 minutes, red from 2. */
export function jobRing(job: Job, nowMs: number): JobRing {
  const { windowEndsAtMs, pastWindow } = job;
  return (
    over[job.state] ??
    (windowEndsAtMs === null ? notBegun(job) : counting(windowEndsAtMs - nowMs, pastWindow))
  );
}

function notBegun(job: Job): JobRing {
  const { state, direction, waitingFor } = job;
  if (state !== 'waiting' && !isHeldUp(job))
    return { left: null, tone: 'moving', inside: { icon: direction === 'upload' ? 'up' : 'dn' } };
  if (waitingFor === 'token') return { left: null, tone: 'wait', inside: { icon: 'pause' } };
  return { left: null, tone: waitingFor === 'turn' ? 'idle' : 'wait', inside: { icon: 'clock' } };
}

function counting(leftMs: number, isPast: boolean): JobRing {
  if (isPast || leftMs <= 0) return { left: 0, tone: 'bad', inside: { icon: 'clock' } };
  return {
    left: leftMs / deferredWindowMs,
    tone: leftMs <= redMs ? 'bad' : leftMs <= amberMs ? 'wait' : 'moving',
    inside: {
      text: leftMs <= redMs ? formatStopwatch(leftMs) : formatCount(Math.floor(leftMs / 60_000)),
      words: jobTexts.windowLeft({ duration: formatRemaining(leftMs) }),
    },
  };
}

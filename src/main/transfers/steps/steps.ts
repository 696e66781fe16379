import type { Settings } from '../../../shared/domain/settings.ts';
import type { StepContext } from '../parts/step-context.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { Next } from '../model/next.ts';
import type { TakeStep } from '../queue/attempt.ts';
import type { PollIntervals } from '../queue/poll-interval.ts';
import { check, completed, receiveSecret, sendDeferred, sendSecret, start } from './deferred.ts';
import { confirmDeleted, sendDelete } from './delete.ts';
import { publish, receive } from './download.ts';
import { sendMove, verifyMove } from './move.ts';
import { takeNumber } from './new-version.ts';
import { replace } from './replace/replace.ts';
import { resolveUpload } from './resolve-upload.ts';
import type { DeferredContext } from './step.ts';
import { sendDirect, verifyUpload } from './upload.ts';

interface Shared extends Pick<StepContext, 'list' | 'files' | 'parts' | 'clock'> {
  readonly settings: () => Pick<Settings, 'skipIdentical' | 'versionReach'>;
  readonly pollIntervals: PollIntervals;
  readonly requests: Omit<DeferredContext['requests'], 'pollInterval'>;
}

export function createSteps({ settings, pollIntervals, ...shared }: Shared): TakeStep {
  return ({ isFresh }, { facts, ...attempt }) => {
    const { serviceId, kind } = attempt.record;
    const requests = { ...shared.requests, pollInterval: pollIntervals(serviceId, kind) };
    const { skipIdentical, versionReach } = settings();
    const rules = { ...facts, skipIdentical, versionReach };
    return takeStep({ ...shared, ...attempt, requests, rules }, isFresh);
  };
}

function takeStep(context: DeferredContext, isFresh: ActiveTransfer['isFresh']): Promise<Next> {
  const { state, route, kind, direction, work } = context.record;
  const moves = work.kind === 'upload' && work.moves !== undefined;
  switch (state.name) {
    case 'waiting':
      return (direction === 'delete' ? sendDelete : start)(context, state);
    case 'sending':
      if (route === 'deferred') return (kind === 'secret' ? sendSecret : sendDeferred)(context, state);
      return (moves ? sendMove : sendDirect)(context, state);
    case 'numbering':
      return takeNumber(context, state);
    case 'unsure':
      return resolveUpload(context, state);
    case 'verifying':
      return (moves ? verifyMove : verifyUpload)(context, state);
    case 'processing':
      return check(context, state);
    case 'completed':
      return completed(context, state);
    case 'receiving':
      return (kind === 'secret' ? receiveSecret : receive)(context, state);
    case 'publishing':
      return publish(context, state);
    case 'deleting':
      // Claimed, and nothing was sent: the only time at which DELETE is sent.
      return isFresh ? sendDelete(context, { name: 'waiting' }) : confirmDeleted(context, state);
    case 'replacing':
      return replace(context, state);
    case 'asking':
    case 'done':
    case 'failed':
    case 'lost':
    case 'cancelled':
      throw new Error(`nothing is to be done in ${state.name}`);
  }
}

import type { TakeStep } from '../queue/attempt.ts';
import type { ActiveTransfer } from '../model/active-transfer.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import type { PollIntervals } from '../queue/poll-interval.ts';
import type { DeferredRequests, StepContext } from './step.ts';
import type { Next } from '../model/next.ts';
import { check, completed, receiveSecret, sendDeferred, sendSecret, start } from './deferred.ts';
import { confirmDeleted, sendDelete } from './delete.ts';
import { takeNumber } from './new-version.ts';
import { publish, receive } from './download.ts';
import { replace } from './replace/replace.ts';
import { sendMove, verifyMove } from './move.ts';
import { resolveUpload } from './resolve-upload.ts';
import { sendDirect, verifyUpload } from './upload.ts';

interface Shared extends Pick<StepContext, 'list' | 'files' | 'chunks' | 'clock'> {
  readonly settings: () => Pick<Settings, 'skipIdentical' | 'versionReach'>;
  readonly pollIntervals: PollIntervals;
  readonly requests: Omit<DeferredRequests, 'pollInterval'>;
}

export function createSteps({ settings, pollIntervals, ...shared }: Shared): TakeStep {
  return (entry, { facts, ...attempt }) => {
    const { serviceId, kind } = attempt.record;
    const requests = { ...shared.requests, pollInterval: pollIntervals(serviceId, kind) };
    const { skipIdentical, versionReach } = settings();
    const rules = { ...facts, skipIdentical, versionReach };
    return stepOf(entry)({ ...shared, ...attempt, requests, rules });
  };
}

function stepOf({
  record,
  isFresh,
}: Pick<ActiveTransfer, 'record' | 'isFresh'>): (context: StepContext) => Promise<Next> {
  const { state, route, kind, direction, work } = record;
  const moves = work.kind === 'upload' && work.moves !== undefined;
  switch (state.name) {
    case 'waiting':
      return (context) => (direction === 'delete' ? sendDelete : start)(context, state);
    case 'sending':
      if (route === 'deferred')
        return (context) => (kind === 'secret' ? sendSecret : sendDeferred)(context, state);
      return (context) => (moves ? sendMove : sendDirect)(context, state);
    case 'numbering':
      return (context) => takeNumber(context, state);
    case 'unsure':
      return (context) => resolveUpload(context, state);
    case 'verifying':
      return (context) => (moves ? verifyMove : verifyUpload)(context, state);
    case 'processing':
      return (context) => check(context, state);
    case 'completed':
      return (context) => completed(context, state);
    case 'receiving':
      return (context) => (kind === 'secret' ? receiveSecret : receive)(context, state);
    case 'publishing':
      return (context) => publish(context, state);
    case 'deleting':
      // Claimed, and nothing was sent: the only time at which DELETE is sent.
      return (context) =>
        isFresh ? sendDelete(context, { name: 'waiting' }) : confirmDeleted(context, state);
    case 'replacing':
      return (context) => replace(context, state);
    case 'asking':
    case 'done':
    case 'failed':
    case 'lost':
    case 'cancelled':
      throw new Error(`nothing is to be done in ${state.name}`);
  }
}

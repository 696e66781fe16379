import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { maxSecretBytes } from '../../../shared/domain/limits.ts';
import type { AppError } from '../../../shared/errors.ts';
import { saysNothingWasStored } from '../../../shared/failed-requests.ts';
import { readBytes } from '../../service/bodies.ts';
import type { DeferredState } from '../../service/client.ts';
import type { StepContext } from '../parts/step-context.ts';
import { workOf, type Next } from '../model/next.ts';
import { isSmall, type TransferRecord } from '../model/record.ts';
import type { Deferred, Sent } from '../model/state.ts';
import { nextSecretVersion } from './new-version.ts';
import type { DeferredContext, DeferredStep, Step } from './step.ts';
import {
  afterConflict,
  afterFailedPost,
  beforeBytes,
  checksFirst,
  sendFile,
  verifying,
  wasSeenFree,
} from './upload.ts';

/*
 * A deferred request from top to bottom (sections 4.2 and 4.3): start, poll, fetch. A file that is sent is verified, and
 * one that is fetched is received, as without a token (`upload.ts`, `download.ts`); the value of a secret only passes
 * through here.
 */

/**
 * Whether HEAD goes before the bytes. The service accepts a start that it will refuse when it processes it: a small new
 * file is sent all the same, and a 409 is looked at then.
 */
function checksBeforeStart(context: StepContext): boolean {
  return checksFirst(context) || !isSmall(context.record);
}

/**
 * Starts a deferred request (sections 4.2 and 4.3). The token is on the disk before it is used.
 */
export const start: DeferredStep<'waiting'> = async (context) => {
  const { record, service, requests } = context;
  switch (record.work.kind) {
    case 'upload': {
      const next = await beforeBytes(context, checksBeforeStart(context));
      return next ?? { state: { name: 'sending' } };
    }
    case 'storeSecret':
      if (requests.secrets.valueOf(record.id) === null) return valueGone;
      return { state: { name: 'sending' } };
    case 'download':
      return started(context, await service.startDownload('data', record.identifier), null);
    case 'readSecret':
      return started(context, await service.startDownload('secret', record.identifier), null);
    case 'delete':
      throw new Error('a deletion has no start');
  }
};

/** The value was in memory only, and is gone after a restart. */
const valueGone: Next = {
  state: { name: 'failed', error: { code: 'cancelled' } },
  row: { kind: 'release', state: 'failed', history: { action: 'uploadFailed', detail: 'cancelled' } },
};

export const sendDeferred: DeferredStep<'sending'> = async (context) => {
  const { record, service } = context;
  const wasFree = checksBeforeStart(context) || wasSeenFree(context);
  let isOut = false;
  try {
    const { answer, sent } = await sendFile(context, record.identifier, (body, options) =>
      service.startUpload('data', record.identifier, body, { ...options, onLeaving: () => (isOut = true) }),
    );
    return started(context, answer, { ...sent, activityToken: null, ...(!wasFree && { isUnseen: true }) });
  } catch (cause) {
    return afterFailedPost(context, cause, { isOut, wasFree });
  }
};

export const sendSecret: DeferredStep<'sending'> = async (context) => {
  const { record, service, requests, show } = context;
  const { classification, asNewVersion } = workOf(context, 'storeSecret');
  const value = requests.secrets.valueOf(record.id);
  if (value === null) return valueGone;
  try {
    const options = { lengthBytes: value.length, classification };
    const answer = await service.startUpload('secret', record.identifier, bytesOf(value), options);
    // It may have to be sent again, under another number.
    if (asNewVersion !== true) requests.secrets.forget(record.id);
    return started(context, answer, null);
  } catch (cause) {
    const error = toAppError(cause);
    if (error && !saysNothingWasStored(error)) show.note({ name: 'unsure', goal: 'goOn', looks: 0, error });
    throw cause;
  }
};

async function* bytesOf(value: Uint8Array): AsyncGenerator<Uint8Array> {
  yield value;
}

function started(
  { record, requests }: DeferredContext,
  { deferredToken }: { deferredToken: string },
  sent: Sent | null,
): Next {
  const moment = requests.now();
  const deferred = { token: deferredToken, startedAt: moment, usedAt: moment, checks: 0, warned: 0 };
  return {
    state: { name: 'processing', deferred, sent },
    delayMs: requests.pollInterval.nextMs(record.id, 0),
  };
}

/** Checks a deferred request (sections 4.2 and 4.3) and acts on the answer. */
export const check: DeferredStep<'processing'> = async (context, { deferred, sent, name }) => {
  const { record, requests } = context;
  const found = await askForState(context, deferred);
  const moment = requests.now();
  const used = { ...deferred, usedAt: moment, checks: deferred.checks + 1 };
  const ageMs = moment.steadyMs - deferred.startedAt.steadyMs;
  if (found.state === 'processing') {
    return {
      state: { name, deferred: used, sent },
      delayMs: requests.pollInterval.nextMs(record.id, ageMs),
      isLazy: true,
    };
  }
  // It was completed at some time since the last check.
  requests.pollInterval.learn(record.id, deferred.usedAt.steadyMs - deferred.startedAt.steadyMs, ageMs);
  const { success, status, message, activityToken } = found.result;
  const change = activityToken === '' ? {} : { activityToken };
  if (success && status === 200) {
    if (record.direction === 'download') return { state: { name: 'completed', deferred: used }, change };
    if (record.work.kind === 'storeSecret') return storedSecret(context, activityToken);
    if (sent) return verifying({ ...sent, activityToken: activityToken || null }, change);
  }
  if (status === 409 && record.work.kind === 'upload') {
    const next = await afterConflict(context, sent?.isUnseen !== true);
    return { ...next, change: { ...change, ...next.change } };
  }
  if (status === 409 && record.work.kind === 'storeSecret') {
    const next = await nextSecretVersion(context);
    return next ?? failed(record, { code: 'exists', status, message, activityToken }, change);
  }
  if (status === 404 && record.direction === 'download')
    return failed(record, { code: 'missing', status }, change);
  const problem = `success: ${success}, status: ${status}`;
  return failed(record, { code: 'unexpectedAnswer', status: 200, problem }, change);
};

/**
 * A 200 that cannot be parsed still means complete. The fetch or HEAD then tells the rest; for a secret nothing else
 * does.
 */
async function askForState({ record, service }: StepContext, { token }: Deferred): Promise<DeferredState> {
  try {
    return await service.check(record.kind, token);
  } catch (cause) {
    const error = toAppError(cause);
    const isUnreadable =
      error?.code === 'unexpectedAnswer' && error.status === 200 && error.notService === undefined;
    if (!isUnreadable || record.work.kind === 'storeSecret') throw cause;
    return { state: 'complete', result: { success: true, status: 200, message: '', activityToken: '' } };
  }
}

/** The service has ended the request without success. */
function failed({ direction }: TransferRecord, error: AppError, change: { activityToken?: string }): Next {
  const isUpload = direction === 'upload';
  const history = { action: isUpload ? 'uploadFailed' : 'downloadFailed', detail: error.code } as const;
  return {
    state: { name: 'failed', error },
    change,
    row: isUpload ? { kind: 'release', state: 'unknown', history } : { kind: 'note', history },
  };
}

/** There is no HEAD for secrets: the service's answer is the only proof. */
function storedSecret(context: StepContext, activityToken: string): Next {
  const { record, clock, service } = context;
  const { classification, sourceName } = workOf(context, 'storeSecret');
  return {
    state: { name: 'done', outcome: null, savedPath: null },
    change: { activityToken },
    row: {
      kind: 'stored',
      patch: {
        state: 'stored',
        lengthBytes: record.totalBytes,
        // A digest that an imported list claims is of another value.
        sha256: null,
        classification,
        sourceName,
        storedAtMs: service.momentOf(clock.nowMs()),
        // This value has not been used yet, whatever the list says of the other one.
        checkedAtMs: null,
        activityToken,
      },
      history: { action: 'uploaded', activityToken },
    },
  };
}

/** The result is ready, and is received once there is a slot for its bytes. */
export const completed: Step<'completed'> = async (_, { deferred }): Promise<Next> => ({
  state: { name: 'receiving', temporaryPath: null, deferred },
  isLazy: true,
});

/** Passes the value of a secret (section 4.3, Fetch) to the caller who waits for it, and nowhere else. */
export const receiveSecret: DeferredStep<'receiving'> = async (context, { deferred }) => {
  const { record, service, rules, requests } = context;
  if (deferred === null) throw new Error('a secret is fetched by its token');
  const { body } = await service.fetch('secret', deferred.token);
  const limitBytes = Math.max(maxSecretBytes.possible, rules.maxSecretBytes ?? 0);
  const value = await readBytes(body, limitBytes);
  if (!value) throw new AppFailure({ code: 'tooLarge', status: 200, limitBytes });
  requests.secrets.deliver(record.id, value);
  return {
    state: { name: 'done', outcome: null, savedPath: null },
    change: { totalBytes: value.length },
    row: { kind: 'secretRead', lengthBytes: value.length },
    isLazy: true,
  };
};

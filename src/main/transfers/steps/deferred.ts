import { maxSecretBytes } from '../../../shared/domain/limits.ts';
import { type AppError } from '../../../shared/errors.ts';
import { toAppError, AppFailure } from '../../../shared/app-failure.ts';
import { readBytes } from '../../service/bodies.ts';
import type { DeferredState } from '../../service/client.ts';
import { saysNothingWasStored } from '../../../shared/failed-requests.ts';
import { isSmall } from '../model/record.ts';
import type { Deferred, Sent } from '../model/state.ts';
import type { Step, StepContext } from './step.ts';
import { workOf, type Next } from '../model/next.ts';
import {
  afterConflict,
  afterFailedPost,
  beforeBytes,
  looksFirst,
  sendFile,
  verifying,
  wasSeenFree,
} from './upload.ts';
import { nextSecretVersion } from './new-version.ts';

/**
 * Whether HEAD goes before the bytes. The service accepts a start that it will refuse when it processes it: a small new
 * file is sent all the same, and a 409 is looked at then.
 */
function looksBeforeStart(context: StepContext): boolean {
  return looksFirst(context) || !isSmall(context.record);
}

/**
 * Starts a deferred request (sections 4.2 and 4.3). The token is on the disk before it is used.
 */
export const start: Step<'waiting'> = async (context) => {
  const { record, service, requests } = context;
  switch (record.work.kind) {
    case 'upload': {
      const met = await beforeBytes(context, looksBeforeStart(context));
      return met ?? { state: { name: 'sending' } };
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

export const sendDeferred: Step<'sending'> = async (context) => {
  const { record, service, requests } = context;
  if (record.work.kind === 'storeSecret') {
    const value = requests.secrets.valueOf(record.id);
    if (value === null) return valueGone;
    const { classification } = record.work;
    const options = { lengthBytes: value.length, classification };
    try {
      const answer = await context.service.startUpload('secret', record.identifier, bytesOf(value), options);
      // It may have to be sent again, under another number.
      if (record.work.asNewVersion !== true) requests.secrets.forget(record.id);
      return started(context, answer, null);
    } catch (cause) {
      const error = toAppError(cause);
      if (error && !saysNothingWasStored(error))
        context.show.note({ name: 'unsure', goal: 'goOn', looks: 0, error });
      throw cause;
    }
  }
  const wasFree = looksBeforeStart(context) || wasSeenFree(context);
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

async function* bytesOf(value: Uint8Array): AsyncGenerator<Uint8Array> {
  yield value;
}

function started(
  { record, requests }: StepContext,
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
export const check: Step<'processing'> = async (context, { deferred, sent, name }) => {
  const { record, requests } = context;
  const before = deferred.usedAt;
  const found = await askForState(context, deferred);
  const moment = requests.now();
  const used = { ...deferred, usedAt: moment, checks: deferred.checks + 1 };
  const ageMs = moment.steadyMs - deferred.startedAt.steadyMs;
  if (found.state === 'processing') {
    return {
      state: { name, deferred: used, sent },
      delayMs: requests.pollInterval.nextMs(record.id, ageMs),
      isBehind: true,
    };
  }
  // It was completed at some time since the last check.
  requests.pollInterval.learn(record.id, before.steadyMs - deferred.startedAt.steadyMs, ageMs);
  const { success, status, message, activityToken } = found.result;
  const change = activityToken === '' ? {} : { activityToken };
  const { kind } = record.work;
  if (success && status === 200) {
    if (record.direction === 'download') return { state: { name: 'completed', deferred: used }, change };
    if (kind === 'storeSecret') return storedSecret(context, activityToken);
    if (sent) return verifying({ ...sent, activityToken: activityToken || null }, change);
  }
  if (status === 409 && record.direction === 'upload') {
    if (kind === 'upload') {
      const met = await afterConflict(context, sent?.isUnseen !== true);
      return { ...met, change: { ...change, ...met.change } };
    }
    const next = await nextSecretVersion(context);
    if (next) return next;
    return failed({ code: 'exists', status, message, activityToken }, change);
  }
  return failed(
    status === 404 && record.direction === 'download'
      ? { code: 'missing', status }
      : { code: 'unexpectedAnswer', status: 200, problem: `success: ${success}, status: ${status}` },
    change,
  );

  function failed(error: AppError, with_: Next['change']): Next {
    const isUpload = record.direction === 'upload';
    const history = { action: isUpload ? 'uploadFailed' : 'downloadFailed', detail: error.code } as const;
    return {
      state: { name: 'failed', error },
      ...(with_ && { change: with_ }),
      row: isUpload ? { kind: 'release', state: 'unknown', history } : { kind: 'note', history },
    };
  }
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

/** Passes the value of a secret (section 4.3, Fetch) to the caller who waits for it, and nowhere else. */
export const receiveSecret: Step<'receiving'> = async (context, { deferred }) => {
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
    isBehind: true,
  };
};

import { Readable } from 'node:stream';
import { type AppError } from '../../../shared/errors.ts';
import { toAppError } from '../../../shared/app-failure.ts';
import { verdictOf, type ConnectionVerdict } from '../../connections/connections.ts';
import type { Clock } from '../../ports.ts';
import type { Download } from '../../service/client.ts';
import { delayFor, remedyFor } from '../model/failure-policy.ts';
import type { Outcome, Permit } from './limits/adaptive-limit.ts';
import type { Limits } from './limits/limits.ts';
import type { GatedRequest, RequestGate } from './request-gate.ts';
import { untilAborted } from '../../lib/async.ts';

export type BreakerState = 'ready' | 'refused' | 'unreachable' | 'held';

/**
 * Single owner of the condition of one service: 429, 5xx, 401, unreachable. Every request to the service goes through
 * `send`; when one of them shows such trouble, all of them are held, and no other service is.
 */
export interface CircuitBreaker {
  state(): BreakerState;
  /** Time of the next attempt (wall clock, ms); null: not held, or waiting for a new token. */
  heldUntilMs(): number | null;
  /** Why it is held; null: it is not held. */
  trouble(): AppError | null;
  /** Whether something new may begin now. After a hold, a single request probes the service. */
  isClosed(): boolean;
  /** Milliseconds until it closes by itself; 0: it is closed; null: it does not close by itself, so wait for `changed`. */
  closesInMs(): number | null;
  /**
   * Sends a request when its turn has come at the gate, and the user's request limit allows it.
   * @throws CircuitOpen before anything is sent while the service is held or refused, and whatever `request` throws, after noting
   * what that says about the service. Consecutive failures of several requesters are blamed on it.
   */
  send<T>(request: GatedRequest, signal: AbortSignal, run: () => Promise<T>): Promise<T>;
  /** Notes a failure outside of `send`: the service could not even be asked. */
  reportFailure(requesterId: number, cause: unknown): void;
  /**
   * Whether the service has given answers between the last two failures of this requester that opened the circuit: a gateway
   * may refuse one object alone. The circuit closes again at the next answer, so the requester has to wait by itself.
   */
  isAlone(requesterId: number): boolean;
  /** Ends a hold at once: "Try now". */
  release(): void;
  /** Closes the breaker: there is a new token, or the service was seen to be back. */
  reset(): void;
  /** Resolves when it closes or its state changes otherwise; rejects with the signal's reason. */
  changed(signal: AbortSignal): Promise<void>;
}

/** Nothing was sent, because the service is held. Callers must release their slot and wait. */
export class CircuitOpen extends Error {
  override readonly name = 'CircuitOpen';
}

/** After this many consecutive lost connections or 500s of different transfers, blame the service. */
const sameTrouble = 3;

interface Hold {
  readonly error: AppError;
  readonly isUnreachable: boolean;
  /** Monotonic clock, ms. */
  endMs: number;
  /** The requester that probes whether the hold is over. */
  prober: number | null;
}

export function createCircuitBreaker(deps: {
  serviceId: string;
  clock: Clock;
  limits: Pick<Limits, 'takeRequest' | 'slowsUploads'>;
  gate: RequestGate;
  random: () => number;
  /** Called with what a request has just shown about the service. */
  report: (verdict: ConnectionVerdict, trouble?: AppError) => void;
  /** Called when the state changed: waiting work may go on, or must stop. */
  onChanged: () => void;
}): CircuitBreaker {
  const { serviceId, clock, limits, gate, random, report, onChanged } = deps;
  let hold: Hold | null = null;
  let refusal: AppError | null = null;
  /** Consecutive holds without an answer in between. */
  let times = 0;
  /** Requesters with failures of their own since the last answer. */
  const troubled = new Set<number>();
  let answers = 0;
  /** Consecutive refusals without an answer in between. */
  let refusals = 0;
  /** How many answers there had been when a requester last opened the circuit, and whether it is alone in its trouble. */
  const opened = new Map<number, { readonly answers: number; readonly isAlone: boolean }>();
  /** Counts new tokens, so that the refusal of an old one does not stop what a new one has started. */
  let tokens = 0;
  let change = Promise.withResolvers<void>();

  function tell(): void {
    change.resolve();
    change = Promise.withResolvers<void>();
    onChanged();
  }

  function closesInMs(): number | null {
    if (refusal) return null;
    if (!hold) return 0;
    const leftMs = hold.endMs - clock.monotonicMs();
    if (leftMs > 0) return leftMs;
    return hold.prober === null ? 0 : null;
  }

  function enter(requesterId: number): void {
    const mayProbe =
      hold !== null &&
      (hold.prober === null || hold.prober === requesterId) &&
      clock.monotonicMs() >= hold.endMs;
    if (refusal || (hold && !mayProbe)) throw new CircuitOpen();
    if (hold) hold.prober = requesterId;
  }

  /** @param holdOfRequest the hold when the request was sent: its answer says nothing about a newer hold */
  function answered(holdOfRequest: Hold | null): void {
    answers += 1;
    refusals = 0;
    if (hold !== holdOfRequest) return;
    troubled.clear();
    times = 0;
    if (!hold) return;
    const { isUnreachable } = hold;
    hold = null;
    if (isUnreachable) report('ready');
    tell();
  }

  function holdBack(error: AppError, retryAfterMs: number | null, isUnreachable: boolean): void {
    // Requests that were under way when the hold began do not lengthen it, except by Retry-After.
    if (hold && clock.monotonicMs() < hold.endMs) {
      if (retryAfterMs !== null) hold.endMs = Math.max(hold.endMs, clock.monotonicMs() + retryAfterMs);
      return;
    }
    const wasUnreachable = hold?.isUnreachable ?? false;
    times += 1;
    const endMs = clock.monotonicMs() + delayFor(times, retryAfterMs, random());
    hold = { error, isUnreachable, endMs, prober: null };
    if (isUnreachable && !wasUnreachable) report('unreachable', error);
    tell();
  }

  /** A 429 that names no time asks for fewer requests, which the gate sees to. When even those are refused, all wait. */
  function isForFewer(error: AppError): boolean {
    if (hold || error.code !== 'tooManyRequests' || error.retryAfterMs !== null) return false;
    refusals += 1;
    return refusals < gate.requests;
  }

  /** Notes what an error says about the service. Any answer proves that it is reachable. */
  function note(
    requesterId: number,
    cause: unknown,
    tokenOfRequest: number,
    holdOfRequest: Hold | null,
  ): void {
    leave(requesterId);
    const error = toAppError(cause);
    if (!error) return;
    const remedy = remedyFor(error, 1, 0);
    switch (remedy.kind) {
      case 'awaitToken':
        if (tokenOfRequest !== tokens || refusal) return;
        refusal = error;
        if (error.code === 'tokenRefused') report('tokenRefused', error);
        return tell();
      case 'hold':
        if (isForFewer(error)) return;
        opened.set(requesterId, {
          answers,
          isAlone: answers > (opened.get(requesterId)?.answers ?? answers),
        });
        return holdBack(error, remedy.retryAfterMs, remedy.isUnreachable);
      case 'retry':
        if (!remedy.mayBeAll) return;
        if (troubled.size === 0 && verdictOf(error) === 'unstable') report('unstable', error);
        troubled.add(requesterId);
        if (hold || troubled.size >= sameTrouble) holdBack(error, null, false);
        return;
      case 'fail':
        if ('status' in error) answered(holdOfRequest);
    }
  }

  /** Lets another requester probe, if this one was the prober. */
  function leave(requesterId: number): void {
    if (hold?.prober !== requesterId) return;
    hold.prober = null;
    tell();
  }

  const isSlowedByUs = ({ bodyBytes }: GatedRequest) => bodyBytes > 0 && limits.slowsUploads();

  return {
    state() {
      if (refusal) return 'refused';
      if (hold === null) return 'ready';
      return hold.isUnreachable ? 'unreachable' : 'held';
    },
    heldUntilMs: () =>
      hold && !refusal ? clock.nowMs() + Math.max(hold.endMs - clock.monotonicMs(), 0) : null,
    trouble: () => refusal ?? hold?.error ?? null,
    isClosed: () => closesInMs() === 0,
    closesInMs,
    async send(request, signal, run) {
      const { requesterId } = request;
      signal.throwIfAborted();
      enter(requesterId);
      const tokenOfRequest = tokens;
      let holdOfRequest = hold;
      let permit: Permit | null = null;
      try {
        permit = await gate.acquire(request, signal);
        await limits.takeRequest(serviceId, signal);
        // It may have opened while the request waited.
        enter(requesterId);
        holdOfRequest = hold;
        permit.leave(request.kind);
        const answer = await run();
        permit.finish(isSlowedByUs(request) ? 'unmeasured' : 'answered');
        answered(holdOfRequest);
        releaseAfter(answer, permit);
        return answer;
      } catch (cause) {
        permit?.finish(signal.aborted ? 'unmeasured' : outcomeOf(cause));
        permit?.release();
        if (signal.aborted || cause instanceof CircuitOpen) leave(requesterId);
        else note(requesterId, cause, tokenOfRequest, holdOfRequest);
        throw cause;
      }
    },
    isAlone: (requesterId) => opened.get(requesterId)?.isAlone ?? false,
    reportFailure: (requesterId, cause) => note(requesterId, cause, tokens, hold),
    release() {
      if (!hold) return;
      hold.endMs = -Infinity;
      tell();
    },
    reset() {
      tokens += 1;
      refusal = null;
      if (hold) hold.endMs = -Infinity;
      tell();
    },
    async changed(signal) {
      await untilAborted(change.promise, signal);
    },
  };
}

function outcomeOf(cause: unknown): Outcome {
  const error = toAppError(cause);
  if (!error) return 'unmeasured';
  const { code } = error;
  if (code === 'serverError' && error.status === 503) return error.retryAfterMs === null ? 'refused' : 'lost';
  if (code === 'tooManyRequests') return 'refused';
  if (code === 'unreachable' || code === 'connectionLost' || code === 'answerTimeout') return 'lost';
  return 'status' in error || code === 'missing' ? 'answered' : 'unmeasured';
}

/** A download is over when its body is. */
function releaseAfter(answer: unknown, permit: Permit): void {
  const { body, lengthBytes } = (answer ?? {}) as Partial<Download>;
  if (!(body instanceof Readable) || body.closed) return permit.release();
  permit.receive(lengthBytes ?? 0);
  body.once('close', () => permit.release());
}

/**
 * Waits until the breaker closes, however often it opens again meanwhile. For callers without a slot. Rejects with the signal's
 * reason.
 */
export async function untilReady(breaker: CircuitBreaker, clock: Clock, signal: AbortSignal): Promise<void> {
  for (let leftMs = breaker.closesInMs(); leftMs !== 0; leftMs = breaker.closesInMs()) {
    if (leftMs === null) await breaker.changed(signal);
    else await Promise.race([clock.delay(leftMs, signal), breaker.changed(signal)]);
  }
}

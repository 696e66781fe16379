import type { Clock, Log } from '../../ports.ts';
import type { Connections } from '../../connections/connections.ts';
import { createPrefetch } from './prefetch.ts';
import { needOf, type ActiveTransfer, type Need } from '../model/active-transfer.ts';
import type { CircuitBreakers } from './circuit-breakers.ts';
import { leaveAhead, newServiceQueue, pick, type ServiceQueue, type Room } from './service-queue.ts';
import { Alarm } from '../../lib/timers.ts';
import type { Limits } from './limits/limits.ts';
import type { RequestGate } from './request-gate.ts';
import { isFinished, sizeOf, type TransferRecord } from '../model/record.ts';
import type { TransferStore } from '../model/store-types.ts';
import type { Send } from './bound-service.ts';
import { bodyBytesOf, createTransferSlots, type FileSize, type Slot } from './transfer-slots.ts';
import type { PollIntervals } from './poll-interval.ts';
import type { Moment } from '../model/dual-clock.ts';

type Run = (entry: ActiveTransfer, slot: Slot, send: Send) => Promise<void>;

/** The only place that starts transfers: slots, order, small files beside large ones, due times. */
export interface Scheduler {
  /** Starts the scheduler. @param run works on a record until it ends, waits, or must be put back; never rejects */
  begin(run: Run): void;
  /** Takes over interrupted records. */
  take(entries: readonly ActiveTransfer[]): void;
  /** The database may have something new to start. */
  wake(serviceId: string): void;
  /** As `wake`, for all services. */
  wakeAll(): void;
  /** A circuit breaker opened or closed. */
  wakeUp(): void;
  /** Starts this record at once, because the user waits for it. */
  takeNow(serviceId: string, id: number): Promise<void>;
  /** Makes all parked records of the service due now. */
  retryNow(serviceId: string): void;
  /** Runs `work` on the database while nothing is being claimed; prefetched records are put back first. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** An active transfer ended, went back to the database, or changed its state. */
  finish(entry: ActiveTransfer, isLeft: boolean): void;
  removeService(serviceId: string): void;
  /** Resolves when nothing runs any more. `closing` must be aborted. */
  ended(): Promise<void>;
}

/** Checks at least this often, in case a clock has jumped. */
const longestNapMs = 60_000;

export function createScheduler(deps: {
  active: Map<number, ActiveTransfer>;
  store: Pick<TransferStore, 'claim' | 'unclaim'>;
  connections: Pick<Connections, 'originOf'>;
  breakers: CircuitBreakers;
  limits: Limits;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
  now: () => Moment;
  pollIntervals: PollIntervals;
  isPaused: (serviceId: string) => boolean;
  /** Called when waiting records in the database were changed. */
  onChanged: () => void;
  /** A deletion had nothing left to delete, and ended as it was claimed. */
  onEnded: (record: TransferRecord) => void;
}): Scheduler {
  const { active, clock, closing, breakers, limits, pollIntervals, now, isPaused, onChanged } = deps;
  const queues = new Map<string, ServiceQueue>();
  const runs = new Set<Promise<void>>();
  const slots = createTransferSlots(limits, pump);
  const prefetch = createPrefetch({ ...deps, queues, areSlotsFree: slots.areFree, onTaken: pump });
  let run: Run | null = null;
  let isPlanned = false;
  const alarm = new Alarm(clock, pump);

  function queueOf(serviceId: string): ServiceQueue {
    const known = queues.get(serviceId);
    if (known) return known;
    const queue = newServiceQueue(serviceId);
    queues.set(serviceId, queue);
    return queue;
  }

  const room = ({ serviceId }: ServiceQueue, gate: RequestGate): Room => ({
    isPaused: isPaused(serviceId),
    likelyBeforeMs: now().steadyMs - pollIntervals(serviceId, 'data').likelyMs(),
    fits: (need) => slots.fits(gate, need),
  });

  /** Schedules in a microtask, once for all calls until then. */
  function pump(): void {
    if (isPlanned || run === null || closing.aborted) return;
    isPlanned = true;
    const starting = run;
    queueMicrotask(() => {
      isPlanned = false;
      schedule(starting);
    });
  }

  function schedule(starting: Run): void {
    let wakeAtMs = clock.monotonicMs() + longestNapMs;
    for (let hasLaunched = true; hasLaunched && !closing.aborted;) {
      hasLaunched = false;
      for (const queue of queues.values()) {
        const nextMs = serve(queue, starting);
        if (nextMs === 'launched') hasLaunched = true;
        else wakeAtMs = Math.min(wakeAtMs, nextMs);
      }
    }
    for (const queue of queues.values()) prefetch.refill(queue);
    alarm.setBy(wakeAtMs);
  }

  /** Starts one record of a service, or returns when to check again. */
  function serve(queue: ServiceQueue, starting: Run): 'launched' | number {
    const breaker = breakers.of(queue.serviceId);
    const nowMs = clock.monotonicMs();
    const openMs = breaker.closesInMs();
    if (openMs !== 0) return openMs === null ? Infinity : nowMs + openMs;
    // After a hold, a single request probes the service.
    if (breaker.state() !== 'ready' && queue.running.size > 0) return Infinity;
    // Most calls come while as many requests are under way as may be.
    const gate = breakers.gateOf(queue.serviceId);
    if (!gate.hasRoom(0)) return Infinity;
    pollIntervals(queue.serviceId, 'data').hasten(queue.parked, now(), nowMs);
    const next = pick(queue, room(queue, gate), nowMs);
    if (next === null) return Infinity;
    if (next.atMs > nowMs) return next.atMs;
    launch(queue, next.entry, starting);
    // Round robin: move this service to the end.
    queues.delete(queue.serviceId);
    queues.set(queue.serviceId, queue);
    return 'launched';
  }

  function launch(queue: ServiceQueue, entry: ActiveTransfer, starting: Run): void {
    const need = needOf(entry);
    leaveAhead(queue, entry);
    queue.parked.delete(entry);
    queue.running.set(entry, need);
    const file = fileOf(entry, need);
    const gate = breakers.gateOf(queue.serviceId);
    const slot = file && slots.take(file);
    const isPolled = entry.record.route === 'deferred';
    if (isPolled && (need === 'start' || need === 'request')) {
      const { lastTurns } = queue;
      queue.lastTurns = { need, count: lastTurns.need === need ? lastTurns.count + 1 : 1 };
    }
    const isSecret = entry.record.kind === 'secret';
    if (isPolled) queue.secretTurns = isSecret ? queue.secretTurns + 1 : 0;
    let isFirst = true;
    const comes = gate.expect(bodyBytesOf(file ?? need));
    // The start of a download, and any step of a secret, has no slot and runs on as if it held one.
    const isRequestOnly = need === 'request' || need === 'delete';
    const isAlone = slot === null && !isRequestOnly;
    const requesterId = entry.record.id;
    const send: Send = (ask, request, signal) => {
      const priority = isSecret ? 'person' : isFirst ? 'new' : 'begun';
      isFirst = false;
      comes();
      return breakers.of(queue.serviceId).send({ ...ask, requesterId, priority }, signal, request);
    };
    const none: Slot = { isHeld: () => isAlone, free: () => undefined };
    const done = starting(entry, slot ?? none, send).finally(() => {
      runs.delete(done);
      comes();
      queue.running.delete(entry);
      slot?.end();
      if (active.get(entry.record.id) === entry) queue.parked.add(entry);
      pump();
    });
    runs.add(done);
  }

  function fileOf({ record }: ActiveTransfer, need: Need): FileSize | null {
    if (need === 'large' || need === 'small') return need;
    const hasBody =
      need === 'fetch'
        ? record.kind === 'data'
        : need === 'resolve' || (need === 'start' && record.work.kind === 'upload');
    return hasBody ? sizeOf(record) : null;
  }

  return {
    begin(runOne) {
      run = runOne;
      pump();
    },
    take(entries) {
      for (const entry of entries) {
        active.set(entry.record.id, entry);
        queueOf(entry.record.serviceId).parked.add(entry);
      }
      pump();
    },
    wake(serviceId) {
      prefetch.expectMore(queueOf(serviceId));
      pump();
    },
    wakeAll() {
      for (const queue of queues.values()) prefetch.expectMore(queue);
      pump();
    },
    wakeUp: pump,
    takeNow: (serviceId, id) => prefetch.takeNow(queueOf(serviceId), id),
    retryNow(serviceId) {
      const nowMs = clock.monotonicMs();
      for (const entry of queueOf(serviceId).parked) entry.dueMs = Math.min(entry.dueMs, nowMs);
      pump();
    },
    async exclusively(work) {
      try {
        return await prefetch.exclusively(work);
      } finally {
        onChanged();
      }
    },
    finish(entry, isLeft) {
      if (isLeft) {
        active.delete(entry.record.id);
        pollIntervals(entry.record.serviceId, entry.record.kind).ended(entry.record.id);
        const queue = queueOf(entry.record.serviceId);
        queue.parked.delete(entry);
        leaveAhead(queue, entry);
        // The record waits in the database again, or its end lets others start: those that waited for this deletion
        // or Replace, or deletions that waited for this upload.
        const isWaitedFor = entry.record.direction === 'delete' || entry.hasReplaced;
        if (!isFinished(entry.record) || isWaitedFor) prefetch.expectMore(queue);
        else if (entry.record.direction === 'upload') prefetch.expectDeletions(queue);
      }
      pump();
    },
    removeService(serviceId) {
      queues.delete(serviceId);
    },
    async ended() {
      alarm.cancel();
      await Promise.all(runs);
    },
  };
}

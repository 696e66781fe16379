import { untilAborted } from '../../lib/async.ts';
import { Alarm } from '../../lib/timers.ts';
import type { Clock } from '../../ports.ts';
import { isLarge, type AdaptiveLimit, type Permit } from './limits/adaptive-limit.ts';

/** In the order in which waiting requests go: what a person waits for, what has begun, what begins, bulk operations. */
const priorities = ['person', 'begun', 'new', 'bulk'] as const;
export type Priority = (typeof priorities)[number];

export interface GatedRequest {
  readonly requesterId: number;
  readonly priority: Priority;
  /** Requests of one kind and about the same size are expected to take the same time. */
  readonly kind: string;
  /** Of the request, or of its answer as far as it is known. */
  readonly bodyBytes: number;
  /** It sends a body, which may be the body of another answer. */
  readonly sendsBody?: boolean;
  /** Of a part of a file: no other request waits for it, so it waits although other parts are sent or read. */
  readonly isOfPart?: boolean;
}

interface Waiting {
  readonly bodyBytes: number;
  readonly go: () => void;
}

/** While transfers have something to send, bulk operations get this part of the limit. */
const bulkShare = 1 / 4;

/**
 * The one place where the requests to a service get their turn, within what its limit has learned. A requester that sends a body
 * or reads one never waits for a second request, as the one body may be the other, unless they are of different parts of a file.
 */
export class RequestGate {
  readonly #limit: AdaptiveLimit;
  readonly #most: () => number;
  readonly #onRoom: () => void;
  readonly #clock: Pick<Clock, 'delay' | 'monotonicMs'>;
  readonly #paced: Alarm;
  readonly #waiting: Record<Priority, Set<Waiting>> = {
    person: new Set(),
    begun: new Set(),
    new: new Set(),
    bulk: new Set(),
  };
  /** Bodies that are being sent or read, by requester. */
  readonly #bodies = new Map<number, number>();
  /** Transfers that were started and have not sent anything yet. */
  readonly #expected = { small: 0, large: 0 };
  #bulk = 0;
  #transfers = 0;
  #isBulkPlanned = false;

  /**
   * @param most a limit of the user's on requests under way
   * @param onRoom called when another transfer may begin
   */
  constructor(
    limit: AdaptiveLimit,
    clock: Pick<Clock, 'delay' | 'monotonicMs'>,
    most: () => number,
    onRoom: () => void,
  ) {
    this.#limit = limit;
    this.#most = most;
    this.#onRoom = onRoom;
    this.#clock = clock;
    this.#paced = new Alarm(clock, () => this.wake());
  }

  /** What the service's answers allow, whatever the user's limit. */
  get learned(): number {
    return this.#limit.requests;
  }

  /** Requests that may be under way at once. */
  get requests(): number {
    return Math.min(this.#limit.requests, this.#most());
  }

  /** Whether another transfer may begin, whose first body has this size. */
  hasRoom(bodyBytes: number): boolean {
    return this.#fits(bodyBytes, this.#ahead());
  }

  /** A transfer begins, and its first request will follow. @returns to be called when it comes, or never will */
  expect(bodyBytes: number): () => void {
    const size = isLarge(bodyBytes) ? 'large' : 'small';
    this.#expected[size] += 1;
    let isExpected = true;
    return () => {
      if (!isExpected) return;
      isExpected = false;
      this.#expected[size] -= 1;
      this.wake();
    };
  }

  /** Waits for the request's turn. Rejects with the signal's reason, and then holds no permit. */
  async acquire(request: GatedRequest, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    const { requesterId, bodyBytes, priority, isOfPart = false } = request;
    const mustGo = !isOfPart && this.#bodies.has(requesterId);
    if (mustGo || this.#mayGo(priority, bodyBytes)) return this.#take(request);
    const turn = Promise.withResolvers<Permit>();
    const waiting: Waiting = { bodyBytes, go: () => turn.resolve(this.#take(request)) };
    const line = this.#waiting[priority];
    line.add(waiting);
    try {
      return await untilAborted(turn.promise, signal);
    } catch (cause) {
      // The permit may have come at the same moment.
      if (!line.delete(waiting)) (await turn.promise).release();
      throw cause;
    }
  }

  /** The limits have changed: more may go. */
  wake(): void {
    for (const priority of priorities) if (priority !== 'bulk') this.#admit(priority);
    this.#onRoom();
    if (this.#isBulkPlanned || this.#waiting.bulk.size === 0) return;
    this.#isBulkPlanned = true;
    // Transfers that begin now go first.
    queueMicrotask(() => {
      this.#isBulkPlanned = false;
      this.#admit('bulk');
    });
  }

  #admit(priority: Priority): void {
    const line = this.#waiting[priority];
    for (const waiting of line) {
      const { bodyBytes, go } = waiting;
      if (this.#mayGo(priority, bodyBytes)) {
        line.delete(waiting);
        go();
      } else if (!isLarge(bodyBytes)) return;
    }
  }

  #mayGo(priority: Priority, bodyBytes: number): boolean {
    if (priority !== 'bulk') return this.#fits(bodyBytes, { small: 0, large: 0 });
    const ahead = this.#ahead();
    const isAlone = this.#transfers + ahead.small + ahead.large === 0;
    const most = isAlone ? Infinity : Math.max(1, Math.floor(this.requests * bulkShare));
    return this.#bulk < most && this.#fits(bodyBytes, ahead);
  }

  #fits(bodyBytes: number, ahead: { small: number; large: number }): boolean {
    const pacedMs = this.#limit.waitMs();
    if (pacedMs > 0) this.#paced.setBy(this.#clock.monotonicMs() + pacedMs);
    return this.#limit.hasRoom(bodyBytes, this.#most(), ahead);
  }

  /** Transfers that have a request waiting, or will send one. */
  #ahead(): { small: number; large: number } {
    const ahead = { ...this.#expected };
    for (const priority of ['person', 'begun', 'new'] as const)
      for (const { bodyBytes } of this.#waiting[priority]) ahead[isLarge(bodyBytes) ? 'large' : 'small'] += 1;
    return ahead;
  }

  #take({ requesterId, bodyBytes, priority, sendsBody = false }: GatedRequest): Permit {
    const permit = this.#limit.take(bodyBytes);
    const counted = (sign: 1 | -1) => {
      if (priority === 'bulk') this.#bulk += sign;
      else this.#transfers += sign;
    };
    const moves = (sign: 1 | -1) => {
      const bodies = (this.#bodies.get(requesterId) ?? 0) + sign;
      if (bodies === 0) this.#bodies.delete(requesterId);
      else this.#bodies.set(requesterId, bodies);
    };
    let [isHeld, isMoving] = [true, sendsBody];
    counted(1);
    if (isMoving) moves(1);
    return {
      ...permit,
      receive: (bytes) => {
        permit.receive(bytes);
        if (!isMoving) moves(1);
        isMoving = true;
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        permit.release();
        if (isMoving) moves(-1);
        counted(-1);
        this.wake();
      },
    };
  }
}

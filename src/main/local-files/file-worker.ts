import type { Transferable } from 'node:worker_threads';
import { startHeapLimitedWorker } from '../lib/heap-limited-worker.ts';

/**
 * A thread that many callers share. The orders of one turn go in one message, and so do the answers: waking another
 * thread costs as much as most orders do. When the thread dies, all pending orders reject.
 */
export interface FileWorker<Order, Answer> {
  /** Resolves with the thread's answer; the answers of one id come in the order of its orders. */
  ask(order: Order, how?: HowToAsk): Promise<Answer>;
  /** Sends an order that has no answer; does nothing when the thread is dead. */
  tell(order: Order): void;
  /** How long the oldest pending order has been blocking others, in ms; 0: none is pending, or the thread is starting. */
  busyMs(): number;
  failure(): Error | null;
  /** Ends the thread; pending orders reject. */
  end(): Promise<void>;
}

export interface HowToAsk {
  /** Memory that is transferred to the thread. */
  readonly given?: readonly Transferable[];
  /** This order does not block others. */
  readonly isLong?: boolean;
  /** Lazy: sent with the next order, or a little later. */
  readonly goesAlong?: boolean;
}

interface Waiting<Answer> {
  /** null: an order that does not block others. */
  readonly sinceMs: number | null;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}

/** Maximum delay of a lazy order, in ms. */
const alongMs = 1;

/** @param name of the entry `NAME-worker` beside this file; in the bundle it is beside the main file */
export function startFileWorker<
  Order extends { readonly id: number },
  Answer extends { readonly id: number },
>(name: string, maxYoungGenerationSizeMb: number): FileWorker<Order, Answer> {
  const entry = `./${name}-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'cjs'}`;
  const worker = startHeapLimitedWorker(new URL(entry, import.meta.url), maxYoungGenerationSizeMb);
  const waiting = new Map<number, Waiting<Answer>[]>();
  let orders: Order[] = [];
  let given: Transferable[] = [];
  let isLeaving = false;
  let later: NodeJS.Timeout | undefined;
  let failure: Error | null = null;
  /** null: it is starting. */
  let startedMs: number | null = null;

  function giveUp(reason: Error): void {
    failure ??= reason;
    for (const queue of waiting.values()) for (const { reject } of queue) reject(failure);
    waiting.clear();
    clearTimeout(later);
  }

  function send(): void {
    isLeaving = false;
    clearTimeout(later);
    later = undefined;
    if (failure === null && orders.length > 0) worker.postMessage(orders, given);
    orders = [];
    given = [];
  }

  /** Sends at the end of this turn. */
  function leave(): void {
    if (isLeaving) return;
    isLeaving = true;
    setImmediate(send);
  }

  function add(order: Order, isLong = false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (failure !== null) return reject(failure);
      const queue = waiting.get(order.id) ?? [];
      queue.push({ sinceMs: isLong ? null : performance.now(), resolve, reject });
      waiting.set(order.id, queue);
      // The process may exit while no answer is pending.
      worker.ref();
      orders.push(order);
    });
  }

  worker.unref();
  worker.on('message', (answers: readonly Answer[]) => {
    startedMs ??= performance.now();
    for (const answer of answers) {
      const queue = waiting.get(answer.id);
      queue?.shift()?.resolve(answer);
      if (queue?.length === 0) waiting.delete(answer.id);
    }
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', (cause) => giveUp(new Error(`The ${name} thread failed`, { cause })));
  worker.on('exit', () => giveUp(new Error(`The ${name} thread ended`)));

  return {
    ask(order, { given: memory = [], isLong = false, goesAlong = false } = {}) {
      const answer = add(order, isLong);
      given.push(...memory);
      if (!goesAlong) leave();
      else if (failure === null) later ??= setTimeout(send, alongMs);
      return answer;
    },
    tell(order) {
      orders.push(order);
      leave();
    },
    busyMs() {
      if (startedMs === null) return 0;
      for (const [first] of waiting.values())
        if (first && first.sinceMs !== null) return performance.now() - Math.max(first.sinceMs, startedMs);
      return 0;
    },
    failure: () => failure,
    async end() {
      giveUp(new Error(`The ${name} thread was ended`));
      await worker.terminate();
    },
  };
}

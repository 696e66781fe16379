import type { Transferable } from 'node:worker_threads';
import { startHeapLimitedWorker } from '../lib/heap-limited-worker.ts';

/**
 * A thread that many ask. What is asked in one turn goes in one message, and so do the answers: to wake another thread costs as
 * much as what most of them do. When it dies, everything that was asked of it rejects.
 */
export interface FileWorker<Order, Answer> {
  /**
   * Resolves with the thread's answer; of one id they come in the order in which they were asked for.
   */
  ask(order: Order, how?: HowToAsk): Promise<Answer>;
  /** Without an answer; nothing happens when the thread is dead. */
  tell(order: Order): void;
  /** How long the oldest question has been waiting that keeps others waiting, ms; 0: none is. */
  busyMs(): number;
  failure(): Error | null;
  /** Ends it; what is still asked of it rejects. */
  end(): Promise<void>;
}

export interface HowToAsk {
  /** Memory that is the thread's from here on. */
  readonly given?: readonly Transferable[];
  /** It keeps nothing else from being answered. */
  readonly isLong?: boolean;
  /** Nobody is in a hurry: it goes with the next order, or a little later. */
  readonly goesAlong?: boolean;
}

interface Waiting<Answer> {
  /** null: it is a long one. */
  readonly sinceMs: number | null;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}

/** What goes along waits so long for something to go with. */
const alongMs = 1;

/** @param name of the entry `NAME-worker` beside this file; in the bundle it stands beside the main file */
export function startFileWorker<
  Order extends { readonly id: number },
  Answer extends { readonly id: number },
>(name: string, maxYoungGenerationSizeMb: number): FileWorker<Order, Answer> {
  const entry = `./${name}-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;
  const worker = startHeapLimitedWorker(new URL(entry, import.meta.url), maxYoungGenerationSizeMb);
  const waiting = new Map<number, Waiting<Answer>[]>();
  let orders: Order[] = [];
  let given: Transferable[] = [];
  let isLeaving = false;
  let later: NodeJS.Timeout | undefined;
  let failure: Error | null = null;

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

  /** When everything that can go on in this turn has. */
  function leave(): void {
    if (isLeaving) return;
    isLeaving = true;
    process.nextTick(send);
  }

  function add(order: Order, isLong = false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (failure !== null) return reject(failure);
      const queue = waiting.get(order.id) ?? [];
      queue.push({ sinceMs: isLong ? null : performance.now(), resolve, reject });
      waiting.set(order.id, queue);
      // A program may end when nobody waits for an answer.
      worker.ref();
      orders.push(order);
    });
  }

  worker.unref();
  worker.on('message', (answers: readonly Answer[]) => {
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
      for (const [first] of waiting.values())
        if (first && first.sinceMs !== null) return performance.now() - first.sinceMs;
      return 0;
    },
    failure: () => failure,
    async end() {
      giveUp(new Error(`The ${name} thread was ended`));
      await worker.terminate();
    },
  };
}

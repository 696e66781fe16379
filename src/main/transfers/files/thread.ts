import { startLimitedThread } from '../../limited-thread.ts';

/** A thread that many ask. When it dies, everything that was asked of it rejects. */
export interface Thread<Order, Answer> {
  /** Resolves with the thread's answer; of one id they come in the order in which they were asked for. */
  ask(order: Order): Promise<Answer>;
  /** Without an answer; nothing happens when the thread is dead. */
  tell(order: Order): void;
  /** How long the oldest question has been waiting, ms; 0: none is. */
  busyMs(): number;
  failure(): Error | null;
  /** Ends it; what is still asked of it rejects. */
  end(): Promise<void>;
}

interface Waiting<Answer> {
  readonly sinceMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: Error) => void;
}

/** @param name of the entry `NAME-worker` beside this file; in the bundle it stands beside the main file */
export function startThread<Order extends { readonly id: number }, Answer extends { readonly id: number }>(
  name: string,
  maxYoungGenerationSizeMb: number,
): Thread<Order, Answer> {
  const entry = `./${name}-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`;
  const worker = startLimitedThread(new URL(entry, import.meta.url), maxYoungGenerationSizeMb);
  const waiting = new Map<number, Waiting<Answer>[]>();
  let failure: Error | null = null;

  function giveUp(reason: Error): void {
    failure ??= reason;
    for (const queue of waiting.values()) for (const { reject } of queue) reject(failure);
    waiting.clear();
  }

  worker.unref();
  worker.on('message', (answer: Answer) => {
    const queue = waiting.get(answer.id);
    queue?.shift()?.resolve(answer);
    if (queue?.length === 0) waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
  });
  worker.on('error', (cause) => giveUp(new Error(`The ${name} thread failed`, { cause })));
  worker.on('exit', () => giveUp(new Error(`The ${name} thread ended`)));

  return {
    ask(order) {
      return new Promise((resolve, reject) => {
        if (failure !== null) return reject(failure);
        const queue = waiting.get(order.id) ?? [];
        queue.push({ sinceMs: performance.now(), resolve, reject });
        waiting.set(order.id, queue);
        // A program may end when nobody waits for an answer.
        worker.ref();
        worker.postMessage(order);
      });
    },
    tell(order) {
      if (failure === null) worker.postMessage(order);
    },
    busyMs() {
      const [oldest] = waiting.values();
      return oldest?.[0] ? performance.now() - oldest[0].sinceMs : 0;
    },
    failure: () => failure,
    async end() {
      giveUp(new Error(`The ${name} thread was ended`));
      await worker.terminate();
    },
  };
}

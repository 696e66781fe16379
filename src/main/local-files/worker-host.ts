import { parentPort, type Transferable } from 'node:worker_threads';

/** Sends an answer to the caller. @param given memory that is transferred */
export type Answering<Answer> = (answer: Answer, given?: readonly Transferable[]) => void;

/**
 * The worker side of `startFileWorker`: carries out orders in sequence, and sends the answers of one turn in one
 * message.
 */
export function hostWorker<Order, Answer>(carryOut: (order: Order, answer: Answering<Answer>) => void): void {
  const port = parentPort;
  if (port === null) throw new Error('This file is the entry of a thread');
  let answers: Answer[] = [];
  let given: Transferable[] = [];

  function send(): void {
    port?.postMessage(answers, given);
    answers = [];
    given = [];
  }

  const answer: Answering<Answer> = (each, memory = []) => {
    if (answers.length === 0) setImmediate(send);
    answers.push(each);
    given.push(...memory);
  };
  port.on('message', (orders: readonly Order[]) => {
    for (const order of orders) carryOut(order, answer);
  });
  // The thread has started.
  port.postMessage([]);
}

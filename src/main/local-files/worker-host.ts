import { parentPort, type Transferable } from 'node:worker_threads';

/** Hands an answer to who asked. @param given memory that is theirs from here on */
export type Answering<Answer> = (answer: Answer, given?: readonly Transferable[]) => void;

/** The other side of `startThread`: takes orders one after the other, and sends the answers of one turn in one message. */
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
    if (answers.length === 0) process.nextTick(send);
    answers.push(each);
    given.push(...memory);
  };
  port.on('message', (orders: readonly Order[]) => {
    for (const order of orders) carryOut(order, answer);
  });
}

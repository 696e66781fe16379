import type { MessagePort, Worker } from 'node:worker_threads';
import { appErrorSchema, AppFailure, type AppError } from '../../shared/errors.ts';

/** Asynchronous functions by name, whose arguments and results can be cloned. */
type Room<T> = { readonly [N in keyof T]: (...args: never[]) => Promise<unknown> };

interface Request {
  readonly id: number;
  readonly room: string;
  readonly name: string;
  readonly args: readonly unknown[];
  /** The time on the asking side, whose clock counts. */
  readonly atMs: number;
}
type Reply = { id: number } & ({ value: unknown } | { error: AppError } | { bug: string });
type Message = Reply | { event: unknown };

/**
 * The answering side. `explain` turns what it foresees into an AppError; the rest arrives as an Error with its stack.
 * @param find the function of a name in a room, on each request
 */
export function serve(
  port: MessagePort,
  find: (room: string, name: string, atMs: number) => (...args: readonly unknown[]) => Promise<unknown>,
  explain: (error: unknown) => AppError | undefined,
): void {
  const answer = async ({ id, room, name, args, atMs }: Request): Promise<Reply> => {
    try {
      return { id, value: await find(room, name, atMs)(...args) };
    } catch (cause) {
      const error = explain(cause);
      if (error !== undefined) return { id, error };
      return { id, bug: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
    }
  };
  port.on('message', (request: Request) => {
    void answer(request).then((reply) => {
      port.postMessage(reply);
    });
  });
}

export function sendEvent(port: MessagePort, event: unknown): void {
  port.postMessage({ event });
}

/** Calls a function of a room. Rejects with AppFailure, with ThreadGone, or with Error for a bug. */
export type Ask = (room: string, name: string, args: readonly unknown[]) => Promise<unknown>;

/** The thread ended before it answered: whether the call was carried out is not known. */
export class ThreadGone extends Error {}

/** The asking side. `ended` resolves when the thread has, however that came. */
export function connect(
  worker: Worker,
  nowMs: () => number,
  onEvent: (event: unknown) => void,
): { ask: Ask; ended: Promise<ThreadGone> } {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  const { promise: ended, resolve: end } = Promise.withResolvers<ThreadGone>();
  let lastId = 0;
  let gone: ThreadGone | null = null;
  const leave = (cause?: unknown) => {
    gone ??= new ThreadGone('The thread of the catalogue has ended', { cause });
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    end(gone);
  };
  worker.on('error', leave);
  worker.on('exit', () => {
    leave();
  });
  worker.on('message', (message: Message) => {
    if ('event' in message) {
      onEvent(message.event);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if ('value' in message) call?.resolve(message.value);
    else if ('error' in message) call?.reject(new AppFailure(appErrorSchema.parse(message.error)));
    else call?.reject(new Error(message.bug));
  });
  const ask: Ask = (room, name, args) =>
    new Promise((resolve, reject) => {
      if (gone !== null) {
        reject(gone);
        return;
      }
      lastId += 1;
      worker.postMessage({ id: lastId, room, name, args, atMs: nowMs() } satisfies Request);
      waiting.set(lastId, { resolve, reject });
    });
  return { ask, ended };
}

/** The functions of a room, which are called by `ask`. */
export function makeRoom<T extends Room<T>>(
  ask: Ask,
  room: string,
  functions: Record<keyof T & string, true>,
): T {
  return Object.fromEntries(
    Object.keys(functions).map((name) => [name, (...args: readonly unknown[]) => ask(room, name, args)]),
  ) as unknown as T;
}

import type { MessagePort, Worker } from 'node:worker_threads';
import { gather } from '../lib/timers.ts';
import { appErrorSchema, type AppError } from '../../shared/errors.ts';
import { AppFailure } from '../../shared/app-failure.ts';

type Func = (...args: never[]) => unknown;
/** Structured cloning rejects functions anywhere in a value. */
type HasFunction<T> = T extends Func
  ? true
  : T extends Date | Uint8Array | Float64Array
    ? false
    : T extends ReadonlyMap<infer K, infer V>
      ? HasFunction<K | V>
      : T extends readonly (infer E)[]
        ? HasFunction<E>
        : T extends object
          ? { [K in keyof T]: HasFunction<T[K]> }[keyof T]
          : false;
/**
 * Accepts interfaces of asynchronous functions whose arguments and results can be cloned; any other member is an
 * error.
 */
type Room<T> = {
  readonly [N in keyof T]: T[N] extends (...args: infer A) => Promise<infer R>
    ? true extends HasFunction<A | R>
      ? never
      : T[N]
    : never;
};

interface Request {
  readonly id: number;
  readonly room: string;
  readonly name: string;
  readonly args: readonly unknown[];
  /** The time of the calling side, whose clock counts. */
  readonly atMs: number;
}
type Reply = { id: number } & ({ value: unknown } | { error: AppError } | { bug: string; errcode?: number });
type Message = Reply | { event: unknown };

/**
 * Both sides send all messages of one turn of the event loop in one: waking a thread costs more than most calls. They
 * arrive in the order in which they were sent.
 */
const senders = new WeakMap<MessagePort, (message: Message) => void>();

function send(port: MessagePort, message: Message): void {
  const sender = senders.get(port) ?? gather<Message>((messages) => port.postMessage(messages));
  senders.set(port, sender);
  sender(message);
}

/**
 * The serving side: calls own functions of the stores, never inherited ones. `explain` turns expected errors into an
 * AppError; others arrive as an Error with their stack, and with SQLite's `errcode` if they have one.
 * @param find looks up a room by name on each request; undefined: it is not open
 */
export function serve(
  port: MessagePort,
  find: (room: string, atMs: number) => object | undefined,
  explain: (error: unknown) => AppError | undefined,
): void {
  const answer = async ({ id, room, name, args, atMs }: Request): Promise<Reply> => {
    try {
      return { id, value: await functionOf(find(room, atMs), room, name)(...args) };
    } catch (cause) {
      const error = explain(cause);
      if (error !== undefined) return { id, error };
      const bug = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
      const isOfSqlite = cause instanceof Error && 'errcode' in cause;
      return { id, bug, ...(isOfSqlite && { errcode: Number(cause.errcode) }) };
    }
  };
  port.on('message', (requests: readonly Request[]) => {
    // Each in a callback of its own: what a call continues in a microtask happens before the next call begins.
    for (const request of requests)
      setImmediate(() => {
        void answer(request).then((reply) => {
          send(port, reply);
        });
      });
  });
}

export function sendEvent(port: MessagePort, event: unknown): void {
  send(port, { event });
}

/** Calls a function of a room. Rejects with AppFailure, with ThreadGone, or with Error for a bug. */
export type Ask = (room: string, name: string, args: readonly unknown[]) => Promise<unknown>;

/** The thread ended before it answered: whether the call was carried out is unknown. */
export class ThreadGone extends Error {}

/** The calling side. `ended` resolves when the thread has ended for any reason. */
export function connect(
  worker: Worker,
  nowMs: () => number,
  onEvent: (event: unknown) => void,
): { ask: Ask; ended: Promise<ThreadGone> } {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  const { promise: ended, resolve: end } = Promise.withResolvers<ThreadGone>();
  let lastId = 0;
  let gone: ThreadGone | null = null;
  const arrived: Message[] = [];
  const leave = (cause?: unknown) => {
    for (const message of arrived.splice(0)) take(message);
    gone ??= new ThreadGone('The thread of the catalogue has ended', { cause });
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    end(gone);
  };
  worker.on('error', leave);
  worker.on('exit', () => {
    leave();
  });
  const takeCall = (id: number) => {
    const call = waiting.get(id);
    waiting.delete(id);
    return call;
  };
  const take = (message: Message) => {
    if ('event' in message) {
      onEvent(message.event);
      return;
    }
    const call = takeCall(message.id);
    if ('value' in message) call?.resolve(message.value);
    else if ('error' in message) call?.reject(new AppFailure(appErrorSchema.parse(message.error)));
    else {
      const { bug, errcode } = message;
      call?.reject(Object.assign(new Error(bug), errcode === undefined ? {} : { errcode }));
    }
  };
  worker.on('message', (messages: readonly Message[]) => {
    arrived.push(...messages);
    // Each in a callback of its own: what follows an answer in microtasks happens before the next answer.
    for (let index = 0; index < messages.length; index += 1)
      setImmediate(() => {
        const message = arrived.shift();
        if (message) take(message);
      });
  });
  const post = (batch: readonly Request[]) => {
    try {
      worker.postMessage(batch);
    } catch (cause) {
      // Only the call whose arguments cannot be cloned fails.
      if (batch.length > 1) for (const request of batch) post([request]);
      else for (const { id } of batch) takeCall(id)?.reject(cause as Error);
    }
  };
  const postSoon = gather(post);
  const ask: Ask = (room, name, args) =>
    new Promise((resolve, reject) => {
      if (gone !== null) {
        reject(gone);
        return;
      }
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      postSoon({ id: lastId, room, name, args, atMs: nowMs() });
    });
  return { ask, ended };
}

/**
 * The functions of a room, each of which goes through `ask`. Supports calls by name only: its members cannot be
 * listed or spread. Functions of the calling side may be added to it.
 */
export function remote<T extends Room<T>>(ask: Ask, room: string): T {
  return new Proxy<Record<string | symbol, unknown>>(
    {},
    {
      get(own, name) {
        if (Object.hasOwn(own, name)) return own[name];
        // JavaScript itself looks these up: awaiting or printing a room must not be a call.
        if (typeof name === 'symbol' || name === 'then' || name === 'toJSON' || name in Object.prototype)
          return undefined;
        return (own[name] = (...args: readonly unknown[]) => ask(room, name, args));
      },
      ownKeys() {
        throw new TypeError(`The functions of ${room} are on another thread and cannot be listed`);
      },
    },
  ) as T;
}

type Handler = (...args: readonly unknown[]) => Promise<unknown>;

function functionOf(functions: object | undefined, room: string, name: string): Handler {
  const found: unknown = functions && Object.getOwnPropertyDescriptor(functions, name)?.value;
  if (typeof found !== 'function') throw new Error(`The catalogue is not open for ${room}.${name}`);
  return found as Handler;
}

import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { EventName, EventPayload, Input, Output, ProcedureName, Reply } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import { requireOwnSocket } from '../local-files/private-folder.ts';
import type { Address } from './address.ts';
import { FrameReader, maxReplyBytes, toFrame } from './frames.ts';
import { isProof, proofOf } from './proof.ts';
import { protocolVersion, type Answer, type Refusal } from './protocol.ts';

const maxAttempts = 40;
const waitMs = 50;
/** How long a process may take to answer the greeting, in ms. */
const greetingMs = 2000;

/** The app refuses to serve this command. `version` is the app's. */
export class AgentRefused extends Error {
  override readonly name = 'AgentRefused';
  readonly reason: Refusal;
  readonly version: string;

  constructor(reason: Refusal, version: string) {
    super(reason);
    this.reason = reason;
    this.version = version;
  }

  /** The app is quitting or busy: a later request may succeed. */
  get isPassing(): boolean {
    return this.reason === 'closing' || this.reason === 'busy';
  }
}

/** The process that did the work ended before it answered; the outcome of the request is unknown. */
export class AgentGone extends Error {
  override readonly name = 'AgentGone';
  /** false: it was another command. */
  readonly wasApp: boolean;

  constructor(wasApp: boolean) {
    super('gone');
    this.wasApp = wasApp;
  }
}

/** The process at the address does not answer: it is stopped or busy. */
export class AgentSilent extends Error {
  override readonly name = 'AgentSilent';
}

/** The process at the address has not read the data folder: it has taken over the name of a killed app. */
class AgentUnproven extends Error {
  override readonly name = 'AgentUnproven';
}

/** Coffer as a command uses it: the running app, or the command's own engine. */
export interface CofferClient {
  /** @throws AppFailure, AgentGone */
  call<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N>>;
  /** One grant for each absolute path, in the same order. */
  grant(paths: readonly string[]): Promise<string[]>;
  /** Resolves when events will be received. */
  follow<N extends EventName>(event: N, listener: (payload: EventPayload<N>) => void): Promise<void>;
  /** Rejects when the process that does the work ends. @throws AgentGone */
  readonly gone: Promise<never>;
  close(): Promise<void>;
}

/** Coffer in another process. */
export interface RunningCoffer extends CofferClient {
  /** false: another command, which does the work while the app is not running. */
  readonly isApp: boolean;
}

/**
 * Connects to the app or command at an address. null: no process is there.
 * @throws AgentRefused, AgentSilent; also the system's socket errors (EACCES: it belongs to another user)
 */
export async function connectAgent(address: Address, version: string): Promise<RunningCoffer | null> {
  return greet(address, version);
}

/** null: no process there knows the key of the address. */
async function greet({ path, key }: Address, version: string): Promise<AgentClient | null> {
  const socket = await openSocket(path);
  if (!socket) return null;
  const client = new AgentClient(socket, key);
  try {
    await client.greet(version);
    return client;
  } catch (cause) {
    if (cause instanceof AgentUnproven) return null;
    throw cause;
  }
}

/**
 * Asks the process at an address to release the data folder. true: it is a command and agrees, or no process is there;
 * false: it is an app.
 * @throws like `connectAgent`
 */
export async function askToMakeWay(address: Address, version: string): Promise<boolean> {
  const client = await greet(address, version);
  if (!client) return true;
  try {
    return await client.makeWay();
  } finally {
    await client.close();
  }
}

/** null: no process is there. @throws NotPrivate, AgentSilent, the system's socket errors */
export async function openSocket(path: string): Promise<Socket | null> {
  // A command sends tokens and secrets there.
  if (process.platform !== 'win32') requireOwnSocket(path);
  for (let attempt = 1; ; attempt += 1) {
    const socket = connect(path);
    try {
      await once(socket, 'connect');
      return socket;
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : null;
      if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
      if (code !== 'EAGAIN') throw cause;
      // The socket's backlog is full.
      if (attempt === maxAttempts) throw new AgentSilent();
      await setTimeout(waitMs);
    }
  }
}

type Pending = { readonly resolve: (value: unknown) => void; readonly reject: (cause: unknown) => void };

class AgentClient implements RunningCoffer {
  readonly #socket: Socket;
  readonly #reader = new FrameReader(maxReplyBytes);
  readonly #pending = new Map<number, Pending>();
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #greeted = Promise.withResolvers<void>();
  readonly #gone = Promise.withResolvers<never>();
  #lastId = 0;
  #failure: Error | null = null;
  #isApp = true;
  readonly #key: string | null;
  readonly #nonce = randomUUID();

  constructor(socket: Socket, key: string | null) {
    this.#socket = socket;
    this.#key = key;
    // Not every caller handles it.
    this.#gone.promise.catch(() => undefined);
    socket.on('data', (piece: Buffer) => {
      try {
        for (const answer of this.#reader.push(piece)) this.#handle(answer as Answer);
      } catch (cause) {
        this.#fail(cause instanceof Error ? cause : new AgentGone(this.#isApp));
      }
    });
    socket.on('error', () => this.#fail(new AgentGone(this.#isApp)));
    socket.on('close', () => this.#fail(new AgentGone(this.#isApp)));
  }

  get gone(): Promise<never> {
    return this.#gone.promise;
  }

  get isApp(): boolean {
    return this.#isApp;
  }

  async greet(version: string): Promise<void> {
    const key = this.#key;
    const own = key === null ? {} : { nonce: this.#nonce, proof: proofOf(key, 'command', this.#nonce) };
    this.#socket.write(toFrame({ hello: { protocol: protocolVersion, version, ...own } }));
    const giveUp = () => {
      this.#fail(new AgentSilent());
      this.#socket.destroy();
    };
    let isOver = false;
    // Only after pending input is read: this process may have been too busy to read the answer in time.
    const limit = globalThis.setTimeout(() => setImmediate(() => isOver || giveUp()), greetingMs);
    await this.#greeted.promise.finally(() => {
      isOver = true;
      clearTimeout(limit);
    });
  }

  // Typed by the interface: the compiler takes seconds to compare a method of its own with that of the interface.
  readonly call: CofferClient['call'] = (name, input) => this.#ask({ call: name, input });

  async grant(paths: readonly string[]): Promise<string[]> {
    const { grants } = await this.#ask<{ grants: string[] }>({ grant: paths });
    return grants;
  }

  async makeWay(): Promise<boolean> {
    const { makesWay } = await this.#ask<{ makesWay: boolean }>({ makeWay: true });
    return makesWay;
  }

  async follow<N extends EventName>(event: N, listener: (payload: EventPayload<N>) => void): Promise<void> {
    this.#events.on(event, listener);
    await this.#ask({ follow: [event] });
  }

  async close(): Promise<void> {
    if (this.#socket.destroyed) return;
    const closed = once(this.#socket, 'close');
    this.#socket.end();
    await closed;
  }

  #ask<T>(request: object): Promise<T> {
    if (this.#failure) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const id = (this.#lastId += 1);
    this.#pending.set(id, { resolve, reject });
    this.#socket.write(toFrame({ id, ...request }));
    return promise as Promise<T>;
  }

  #handle(answer: Answer): void {
    if ('hello' in answer) {
      if (this.#key !== null && !isProof(answer.hello.proof, this.#key, 'app', this.#nonce))
        return this.#fail(new AgentUnproven('unproven'));
      this.#isApp = answer.hello.isApp ?? true;
      this.#greeted.resolve();
    } else if ('refused' in answer) this.#fail(new AgentRefused(answer.refused, answer.version));
    else if ('event' in answer) this.#events.emit(answer.event, answer.payload);
    else {
      const pending = this.#pending.get(answer.id);
      this.#pending.delete(answer.id);
      resolvePending(pending, answer.reply);
    }
  }

  #fail(failure: Error): void {
    this.#failure ??= failure;
    this.#greeted.reject(this.#failure);
    this.#gone.reject(this.#failure);
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
    this.#socket.destroy();
  }
}

function resolvePending(pending: Pending | undefined, reply: Reply): void {
  if (reply.ok) pending?.resolve(reply.value);
  else pending?.reject(new AppFailure(reply.error));
}

import { z } from 'zod';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import { type EventName, type EventPayload, guardOf, type Reply } from '../../shared/contract.ts';
import { chmodSync } from '../local-files/fs.ts';
import type { Router } from '../ipc/router.ts';
import type { Log } from '../ports.ts';
import { type Address, fitsSocket, newAddress, removeAddress } from './address.ts';
import { BadFrame, FrameReader, maxRequestBytes, toFrame } from './frames.ts';
import { type Answer, maxConnections, protocolVersion, type Refusal } from './protocol.ts';
import { isProof, proofOf } from './proof.ts';

/** Messages from a command, one per line. The first is `hello`. */
export const requestSchema = z.union([
  z.strictObject({
    hello: z.looseObject({
      protocol: z.number().int(),
      version: z.string().max(100),
      /** Required if the address has a key (proof.ts). */
      nonce: z.string().max(100).optional(),
      proof: z.string().max(100).optional(),
    }),
  }),
  z.strictObject({
    id: z.number().int().nonnegative(),
    call: z.string().max(100),
    input: z.unknown().optional(),
  }),
  /** Requests grants for file paths, to be passed to other calls. Answered like a call. */
  z.strictObject({
    id: z.number().int().nonnegative(),
    grant: z.array(z.string().min(1).max(32_768)).min(1).max(10_000),
  }),
  /** The app is starting and asks a command to release the data folder. Answered like a call. */
  z.strictObject({ id: z.number().int().nonnegative(), makeWay: z.literal(true) }),
  /** Subscribes to these events. Answered like a call. */
  z.strictObject({ id: z.number().int().nonnegative(), follow: z.array(z.string().max(100)).max(100) }),
]);
type Request = z.infer<typeof requestSchema>;

/** Maximum number of pending calls per connection; further ones are read when one of these is answered. */
const maxCalls = 16;
/** Time limit for the first message, in ms. */
const helloWithinMs = 2000;
/**
 * Above this many unread bytes, a connection is not read and gets no events until it has caught up; events only say
 * "look again". Otherwise a client that never reads would fill the memory.
 */
const maxUnreadBytes = 1024 * 1024;

export interface Agent {
  /** Sends the event to its subscribers. */
  publish<N extends EventName>(event: N, payload: EventPayload<N>): void;
  /** Whether no command is connected. */
  isIdle(): boolean;
  /** Resolves when no command is connected. */
  idle(): Promise<void>;
  /** Closes all connections with a goodbye message. */
  close(): Promise<void>;
}

export interface AgentDeps {
  readonly userDataFolder: string;
  readonly version: string;
  readonly router: Router;
  /** Whether a procedure that gives out secrets asks the person: the app does, in its window. A command is not there to be asked. */
  readonly asksPerson: boolean;
  /** One opaque grant for each absolute path, in the same order. */
  readonly grant: (paths: string[]) => string[];
  /** Called when the starting app asks for the data folder. null: this is the app, which keeps it. */
  readonly makeWay: (() => void) | null;
  readonly log: Log;
  /** Default: the data folder's own. */
  readonly address?: Address;
}

/**
 * Serves commands of the same user on this computer. The caller holds the lease of the data folder, so whatever is at
 * its address was left by a killed run. Invalid input only ends its own connection. null: no socket can be created at
 * this address, so commands work without the app.
 */
export async function serveAgent(deps: AgentDeps): Promise<Agent | null> {
  const { userDataFolder, log } = deps;
  removeAddress(userDataFolder);
  const { path, key } = deps.address ?? newAddress(userDataFolder);
  if (!fitsSocket(path)) {
    log.warn('commands are not answered: the path of the data folder is too long for a socket');
    return null;
  }
  const connections = new Set<Connection>();
  let idleWaiters: (() => void)[] = [];
  const server = createServer((socket) => {
    const isFull = connections.size >= maxConnections;
    // Connections that never say hello must not lock out others.
    const silent = isFull ? [...connections].find(({ isSilent }) => isSilent) : undefined;
    silent?.refuse('busy');
    const connection = new Connection(socket, { ...deps, key }, isFull && silent === undefined, () => {
      connections.delete(connection);
      if (connections.size > 0) return;
      for (const go of idleWaiters) go();
      idleWaiters = [];
    });
    connections.add(connection);
  });
  await listen(server, path);
  server.on('error', (cause) => log.error('the socket for commands failed', { cause }));
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return {
    publish(event, payload) {
      for (const connection of connections) connection.tell(event, payload);
    },
    isIdle: () => connections.size === 0,
    idle: () =>
      connections.size === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve)),
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.refuse('closing');
      await closed;
      removeAddress(userDataFolder);
    },
  };
}

async function listen(server: Server, path: string): Promise<void> {
  server.listen(path);
  await once(server, 'listening');
}

class Connection {
  readonly #socket: Socket;
  readonly #deps: AgentDeps & { readonly key: string | null };
  readonly #reader = new FrameReader(maxRequestBytes);
  readonly #followed = new Set<string>();
  readonly #waiting: Request[] = [];
  readonly #hello: NodeJS.Timeout;
  #isKnown = false;
  #calls = 0;

  constructor(
    socket: Socket,
    deps: AgentDeps & { readonly key: string | null },
    isOneTooMany: boolean,
    onClosed: () => void,
  ) {
    this.#socket = socket;
    this.#deps = deps;
    // Checked only after pending input is read: the app may have been too busy to read it in time.
    this.#hello = setTimeout(
      () => setImmediate(() => this.#isKnown || this.refuse('badRequest')),
      helloWithinMs,
    );
    socket.once('close', () => {
      clearTimeout(this.#hello);
      onClosed();
    });
    // The client is gone; its calls end on their own.
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece: Buffer) => this.#read(piece));
    socket.on('drain', () => this.#work());
    if (isOneTooMany) this.refuse('busy');
  }

  tell(event: EventName, payload: unknown): void {
    if (!this.#followed.has(event) || this.#isFull) return;
    this.#say({ event, payload });
  }

  /** Connected, and has not said hello. */
  get isSilent(): boolean {
    return !this.#isKnown && !this.#socket.writableEnded;
  }

  get #isFull(): boolean {
    return this.#socket.writableLength > maxUnreadBytes;
  }

  refuse(refused: Refusal): void {
    if (this.#socket.writableEnded) return;
    this.#socket.end(toFrame({ refused, version: this.#deps.version } satisfies Answer));
    // Ignores further input, and closes the connection if the client does not.
    this.#socket
      .removeAllListeners('data')
      .resume()
      .setTimeout(1000, () => this.#socket.destroy());
  }

  #say(answer: Answer): void {
    if (this.#socket.writable) this.#socket.write(toFrame(answer));
  }

  #read(piece: Buffer): void {
    try {
      for (const message of this.#reader.push(piece)) {
        const parsed = requestSchema.safeParse(message);
        if (!parsed.success) return this.refuse('badRequest');
        this.#waiting.push(parsed.data);
      }
    } catch (cause) {
      if (!(cause instanceof BadFrame)) throw cause;
      return this.refuse('badRequest');
    }
    this.#work();
  }

  #work(): void {
    if (this.#socket.writableEnded) return;
    while (this.#calls < maxCalls && !this.#isFull) {
      const request = this.#waiting.shift();
      if (request === undefined) break;
      if (!this.#handle(request)) return;
    }
    if (this.#waiting.length > 0 || this.#isFull) this.#socket.pause();
    else this.#socket.resume();
  }

  /** false: the request was invalid, and the connection is being closed */
  #handle(request: Request): boolean {
    if ('hello' in request) {
      if (request.hello.protocol !== protocolVersion) {
        this.refuse('protocol');
        return false;
      }
      const { version, makeWay, key } = this.#deps;
      const { nonce = '', proof } = request.hello;
      if (key !== null && !isProof(proof, key, 'command', nonce)) {
        this.refuse('badRequest');
        return false;
      }
      clearTimeout(this.#hello);
      this.#isKnown = true;
      const own = key === null ? {} : { proof: proofOf(key, 'app', nonce) };
      this.#say({ hello: { protocol: protocolVersion, version, isApp: makeWay === null, ...own } });
      return true;
    }
    if (!this.#isKnown) {
      this.refuse('badRequest');
      return false;
    }
    this.#calls += 1;
    void this.#answer(request).then((reply) => {
      this.#say({ id: request.id, reply });
      this.#calls -= 1;
      this.#work();
    });
    return true;
  }

  async #answer(request: Exclude<Request, { hello: unknown }>): Promise<Reply> {
    if ('call' in request) {
      const guard = guardOf(request.call);
      if (guard === null) return { ok: false, error: { code: 'senderRefused' } };
      if (guard === 'person' && !this.#deps.asksPerson)
        return { ok: false, error: { code: 'dataFolderInUse' } };
      return this.#deps.router(request.call, request.input);
    }
    if ('follow' in request) {
      for (const event of request.follow) this.#followed.add(event);
      return { ok: true, value: undefined };
    }
    if ('makeWay' in request) {
      const { makeWay } = this.#deps;
      makeWay?.();
      return { ok: true, value: { makesWay: makeWay !== null } };
    }
    if (!request.grant.every((path) => isAbsolute(path)))
      return { ok: false, error: { code: 'invalidInput', field: 'grant', problem: 'notAbsolute' } };
    return { ok: true, value: { grants: this.#deps.grant(request.grant) } };
  }
}

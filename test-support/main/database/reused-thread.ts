import { EventEmitter } from 'node:events';
import { MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads';
import { placeNewFile } from './new-file.ts';

/** Idle threads by bundle: their database, or connection to a team's server, was closed in order. */
const idle = new Map<string, Worker[]>();

type Request = { id: number; room: string; name: string; args: readonly unknown[] };
type Reply = { id?: number; value?: unknown };

/**
 * Stands in for a thread that serves one database, or one team's server, at a time. After an orderly close the next one reuses the
 * thread: starting one takes ten times as long as opening a database. A thread that is terminated without that close ends.
 */
export class ReusedThread extends EventEmitter {
  readonly #bundle: string;
  readonly #thread: Worker;
  readonly #port: MessagePort;
  readonly #unanswered = new Set<number>();
  readonly #changed = Promise.withResolvers<void>();
  #closeId: number | null = null;
  #ending: Promise<void> | undefined;
  #state: 'running' | 'closed' | 'ended' = 'running';

  /** @param bundle path of the thread's script */
  constructor(bundle: string, options: WorkerOptions) {
    super();
    this.#bundle = bundle;
    this.#thread =
      idle.get(bundle)?.pop() ??
      new Worker(new URL('thread-host.cjs', import.meta.url), { ...options, workerData: bundle });
    this.#thread.ref();
    this.#thread.on('error', this.#onError).on('exit', this.#onExit);
    const { port1, port2 } = new MessageChannel();
    this.#thread.postMessage(port2, [port2]);
    this.#port = port1.on('message', (messages: readonly Reply[]) => {
      for (const message of messages) this.#note(message);
      const own = messages.filter(({ id }) => id !== teamCloseId);
      if (own.length > 0) this.emit('message', own);
    });
  }

  #note(message: Reply): void {
    if (message.id !== undefined) this.#unanswered.delete(message.id);
    if (message.id === this.#closeId && 'value' in message) this.#leave('closed');
    // The database could not be closed: end the thread instead.
    else if (message.id === teamCloseId) this.#changed.resolve();
  }

  postMessage(requests: readonly Request[]): void {
    for (const { id, room, name, args } of requests) {
      if (room === 'file' && name === 'close') this.#closeId = id;
      if (room === 'file' && name === 'open') placeNewFile(String(args[0]));
      this.#unanswered.add(id);
    }
    this.#port.postMessage(requests);
  }

  /** A second call waits for the first, which may be ending the thread: it must not be reused then. */
  terminate(): Promise<void> {
    return (this.#ending ??= this.#end());
  }

  async #end(): Promise<void> {
    if (this.#state === 'running' && this.#isTeam() && this.#unanswered.size === 0) await this.#closeTeam();
    if (this.#state === 'running') await this.#thread.terminate();
    if (this.#state !== 'closed') return;
    this.#thread.unref();
    idle.set(this.#bundle, [...(idle.get(this.#bundle) ?? []), this.#thread]);
    this.#onExit();
  }

  readonly #isTeam = () => this.#bundle.endsWith('/team-worker.cjs');

  /** A team's thread is terminated together with its connection. */
  async #closeTeam(): Promise<void> {
    this.#closeId = teamCloseId;
    this.postMessage([{ id: teamCloseId, room: 'server', name: 'close', args: [] }]);
    await this.#changed.promise;
  }

  #leave(state: 'closed' | 'ended'): void {
    this.#state = state;
    this.#changed.resolve();
  }

  readonly #onError = (cause: unknown) => this.emit('error', cause);

  readonly #onExit = () => {
    this.#leave('ended');
    this.#port.close();
    this.#thread.off('error', this.#onError).off('exit', this.#onExit);
    this.emit('exit');
  };
}

/** Never a caller's id: these count from 1. */
const teamCloseId = 0;

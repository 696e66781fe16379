import { EventEmitter } from 'node:events';
import { MessageChannel, Worker, type MessagePort, type WorkerOptions } from 'node:worker_threads';
import { placeNewFile } from './new-file.ts';

/** Threads whose database was closed in order. */
const idle: Worker[] = [];

/**
 * Stands in for the thread of a database. After an orderly close the next database gets the thread: starting one takes ten times as long
 * as opening a database. One that is terminated without that close ends.
 */
export class ReusedThread extends EventEmitter {
  readonly #thread: Worker;
  readonly #port: MessagePort;
  #closeId: number | null = null;
  #state: 'running' | 'closed' | 'ended' = 'running';

  /** @param bundle the address of the database's bundle */
  constructor(bundle: string, options: WorkerOptions) {
    super();
    this.#thread =
      idle.pop() ??
      new Worker(new URL('thread-host.cjs', import.meta.url), { ...options, workerData: bundle });
    this.#thread.ref();
    this.#thread.on('error', this.#onError).on('exit', this.#onExit);
    const { port1, port2 } = new MessageChannel();
    this.#thread.postMessage(port2, [port2]);
    this.#port = port1.on('message', (message: { id?: number; value?: unknown }) => {
      if (message.id === this.#closeId && 'value' in message) this.#state = 'closed';
      this.emit('message', message);
    });
  }

  postMessage(request: { id: number; room: string; name: string; args: readonly unknown[] }): void {
    if (request.room === 'file' && request.name === 'close') this.#closeId = request.id;
    if (request.room === 'file' && request.name === 'open') placeNewFile(String(request.args[0]));
    this.#port.postMessage(request);
  }

  async terminate(): Promise<void> {
    if (this.#state === 'running') await this.#thread.terminate();
    if (this.#state !== 'closed') return;
    this.#thread.unref();
    idle.push(this.#thread);
    this.#onExit();
  }

  readonly #onError = (cause: unknown) => this.emit('error', cause);

  readonly #onExit = () => {
    this.#state = 'ended';
    this.#port.close();
    this.#thread.off('error', this.#onError).off('exit', this.#onExit);
    this.emit('exit');
  };
}

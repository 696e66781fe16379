import { errorMonitor } from 'node:events';
import type * as seaModule from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Node's API of programs that contain their code; not in Electron. */
const sea: typeof seaModule | undefined = process.getBuiltinModule('node:sea');

/** @param thread the file name of its entry @param cause what was thrown in it */
type OnThreadFailure = (thread: string, cause: unknown) => void;
let onFailure: OnThreadFailure = () => undefined;

/** From now on, tells this listener of each thread that an uncaught error ends. Whoever started the thread still handles the error. */
export function onThreadFailure(listener: OnThreadFailure): void {
  onFailure = listener;
}

/** Starts a thread. @param entry its file; the command's own program (packaging/command) runs the one of that name that it contains */
export function startThread(entry: URL, options: WorkerOptions = {}): Worker {
  const name = entry.pathname.slice(entry.pathname.lastIndexOf('/') + 1);
  const worker = sea?.isSea()
    ? new Worker(`${sea.getAsset('loader', 'utf8')}\nload('${name}');`, {
        ...options,
        eval: true,
      })
    : new Worker(entry, options);
  worker.once(errorMonitor, (cause: unknown) => onFailure(name, cause));
  return worker;
}

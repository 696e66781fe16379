import { errorMonitor } from 'node:events';
import type * as seaModule from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Node's API of single executable applications; Electron does not have it. */
const sea: typeof seaModule | undefined = process.getBuiltinModule('node:sea');

/** @param thread the file name of its entry @param cause the uncaught error */
type OnThreadFailure = (thread: string, cause: unknown) => void;
let onFailure: OnThreadFailure = () => undefined;

/** Sets the listener for threads that end with an uncaught error. The code that started the thread still handles the error. */
export function onThreadFailure(listener: OnThreadFailure): void {
  onFailure = listener;
}

/** @param entry the thread's file. The command's own program (packaging/command) runs the file of that name that it contains. */
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

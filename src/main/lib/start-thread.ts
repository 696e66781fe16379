import type * as seaModule from 'node:sea';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Node's API of programs that contain their code; not in Electron. */
const sea: typeof seaModule | undefined = process.getBuiltinModule('node:sea');

/** Starts a thread. @param entry its file; the command's own program (packaging/command) runs the one of that name that it contains */
export function startThread(entry: URL, options: WorkerOptions = {}): Worker {
  if (!sea?.isSea()) return new Worker(entry, options);
  const name = entry.pathname.slice(entry.pathname.lastIndexOf('/') + 1);
  return new Worker(`${sea.getAsset('loader', 'utf8')}\nload('${name}');`, { ...options, eval: true });
}

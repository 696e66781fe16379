/*
 * Electron's `fs` treats files named *.asar as folders and refuses those that are not archives; real folders are left
 * alone. Its `original-fs` does not (docs/tutorial/asar-archives.md). Here no such file counts as an archive,
 * because this shell has none to read. Loaded in each thread, as in Electron.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

type Call = (...args: unknown[]) => unknown;
type Calls = Record<string, unknown>;

const original = {
  ...fs,
  promises: { ...fs.promises },
  // A stream opens its file through the given `fs`.
  createReadStream: (path: fs.PathLike, options?: BufferEncoding | object) =>
    fs.createReadStream(path, {
      fs: original,
      ...(typeof options === 'string' ? { encoding: options } : options),
    }),
};

/** The part of a path that Electron would open as an archive, or null. */
function findArchive(path: unknown): string | null {
  const text = path instanceof URL ? path.pathname : Buffer.isBuffer(path) ? path.toString() : path;
  if (typeof text !== 'string') return null;
  for (const { index, 0: name } of text.matchAll(/\.asar(?=[/\\]|$)/gi)) {
    const archive = text.slice(0, index + name.length);
    if (!original.statSync(archive, { throwIfNoEntry: false })?.isDirectory()) return archive;
  }
  return null;
}

const refusalOf = (archive: string) => new Error(`Invalid package ${archive}`);

function wrap(calls: Calls, toRefusal: (name: string, error: Error, args: unknown[]) => unknown): void {
  for (const [name, value] of Object.entries(calls)) {
    // Skip classes, and streams, which call `open`.
    if (typeof value !== 'function' || /^[A-Z]|^create|^(un)?watch/.test(name)) continue;
    const call = value as Call;
    calls[name] = Object.assign((...args: unknown[]) => {
      const archive = findArchive(args[0]);
      return archive === null ? call(...args) : toRefusal(name, refusalOf(archive), args);
    }, call);
  }
}

wrap(fs.promises, (_name, error) => Promise.reject(error));
wrap(fs, (name, error, args) => {
  if (name === 'existsSync') return false;
  const answer = args.at(-1);
  if (name.endsWith('Sync') || typeof answer !== 'function') throw error;
  process.nextTick(() => (answer as Call)(error));
  return undefined;
});
syncBuiltinESMExports();

const getBuiltinModule: (id: string) => object | undefined = process.getBuiltinModule.bind(process);
Object.assign(process, {
  getBuiltinModule: (id: string) => (id === 'original-fs' ? original : getBuiltinModule(id)),
});

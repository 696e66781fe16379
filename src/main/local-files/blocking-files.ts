import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { type FileSystem, type OpenFile, writeAll } from './file-system.ts';
import type { TemporaryFileWriter } from './temporary-file-writer.ts';
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from './fs.ts';

/** For a temporary file whose bytes are all in memory: one write, hashed on this thread. */
export function createWholeWriter(file: OpenFile): TemporaryFileWriter {
  let sha256: string | null = null;
  return {
    async write(bytes) {
      if (sha256 !== null) throw new Error('Nothing is written after the end');
      sha256 = hash('sha256', bytes);
      await writeAll(file, bytes, 0);
    },
    finish: async () => (sha256 ??= hash('sha256', new Uint8Array(0))),
    stop: async () => undefined,
  };
}

const [sync, datasync] = [promisify(fsync), promisify(fdatasync)];

/**
 * A file system for a worker thread of its own: short calls are synchronous, since asking another thread takes ten
 * times as long as their microseconds. Only calls that wait for the disk are asynchronous, so that many wait
 * together.
 */
export const blockingFiles: FileSystem = {
  async open(path, flags, mode) {
    const file = openSync(path, flags, mode);
    return {
      stat: async () => fstatSync(file, { bigint: true }),
      write: async (bytes, offset, length, position) => ({
        bytesWritten: writeSync(file, bytes, offset, length, position),
      }),
      sync: () => sync(file),
      datasync: () => datasync(file),
      close: async () => closeSync(file),
    };
  },
  link: async (from, to) => linkSync(from, to),
  lstat: async (path) => lstatSync(path, { bigint: true }),
  mkdir: async (path, options) => mkdirSync(path, options),
  rename: async (from, to) => renameSync(from, to),
  unlink: async (path) => unlinkSync(path),
};

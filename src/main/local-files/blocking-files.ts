import { promisify } from 'node:util';
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
import type { FileSystem } from './file-system.ts';

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

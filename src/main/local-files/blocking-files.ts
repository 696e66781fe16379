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
 * For a thread that does nothing else: what takes microseconds is done at once, where asking another thread takes ten times as
 * long. Only what waits for the disk is waited for, so that many wait for it together.
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

import * as nodeFs from 'node:fs';

/**
 * The file system for all of Coffer's and the person's files, in the main process and in threads. Electron's own `fs`
 * treats `*.asar` files as folders; "you can use the built-in `original-fs` module which provides original `fs` APIs
 * without `asar` support" (docs/tutorial/asar-archives.md). Plain Node has no such module and needs none:
 * `getBuiltinModule` returns undefined for it. The bundle itself may lie in `app.asar`: code that reads it uses
 * `node:fs` (electron/serve-app.ts).
 */
const original = process.getBuiltinModule('original-fs') as typeof nodeFs | undefined;

export const {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
  createReadStream,
  watch,
} = original ?? nodeFs;
export const {
  access,
  chmod,
  link,
  lstat,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  statfs,
  unlink,
  utimes,
  writeFile,
} = (original ?? nodeFs).promises;
export type { BigIntStats } from 'node:fs';
export type { FileHandle } from 'node:fs/promises';

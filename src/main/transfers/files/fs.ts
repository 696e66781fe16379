/**
 * The file system as these files use it, and nothing else of it. Electron reads `*.asar` files as folders in its own `fs`;
 * a person's files must go past that, and this is the one place to do so.
 */
export { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
export { link, lstat, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
export type { BigIntStats } from 'node:fs';
export type { FileHandle } from 'node:fs/promises';

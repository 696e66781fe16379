import { constants, createReadStream, openSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** Opens a file, or a FIFO. A file's stream reads in a thread, which would wait for a silent writer and keep the process from ending. */
export function openInput(path: string): Readable {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO() !== true) return createReadStream(path);
  return new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
}

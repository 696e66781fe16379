import { writeSync } from 'node:fs';
import { Writable } from 'node:stream';

/** How long to wait for a device that takes no more at present, in ms. */
const restMs = 10;

/**
 * Writes to an open file or device. Node's own stream for these takes a write that the system cut short for a whole one, so
 * that the last bytes are lost without an error where the disk is nearly full.
 */
export class DescriptorStream extends Writable {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    super();
    this.#descriptor = descriptor;
  }

  /** Synchronous, as `process.stdout` is for files: nothing is lost when the process exits. */
  override _write(piece: Buffer, _encoding: BufferEncoding, done: (cause?: Error | null) => void): void {
    let left = piece;
    try {
      while (left.length > 0) left = left.subarray(writeSync(this.#descriptor, left));
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      if (!('code' in error && error.code === 'EAGAIN')) return done(error);
      setTimeout(() => this._write(left, _encoding, done), restMs);
      return;
    }
    done();
  }
}

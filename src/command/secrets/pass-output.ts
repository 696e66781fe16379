import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { OutputStream } from '../terminal/io.ts';
import { Mask } from './mask.ts';

/** How long the pipe of an ended program must be silent, in ms. */
const quietMs = 100;

/**
 * Passes the output of a program on, masked, until it has ended and all its output has been passed on. Does not wait for
 * programs that it left in the background, which keep the pipe open. If the reader closes its end, closes the program's pipe
 * too, as if the program wrote to the reader directly. Resolves with false if the output could not be written, which closes the
 * pipe as well.
 * @param ended resolves when the program has ended
 */
export async function passOutput(
  from: Socket,
  patterns: readonly Buffer[],
  to: OutputStream,
  ended: Promise<unknown>,
): Promise<boolean> {
  const source = from.pipe(new PassThrough());
  const passed = pipeline(source, new Mask(patterns), to, { end: false })
    .then(
      () => true,
      (cause: unknown) => {
        if (!(cause instanceof Error && 'code' in cause)) throw cause;
        return cause.code === 'EPIPE';
      },
    )
    .finally(() => from.destroy());
  const left = ended.then(() => isQuiet(from, source)).then(() => source.end());
  return Promise.race([passed, left.then(() => passed)]);
}

/** Resolves when nothing has arrived for a while, and everything before has been passed on. */
async function isQuiet(from: Pick<Socket, 'bytesRead'>, source: PassThrough): Promise<void> {
  for (;;) {
    const before = from.bytesRead;
    await setTimeout(quietMs);
    if (from.bytesRead === before && source.readableLength + source.writableLength === 0) return;
  }
}

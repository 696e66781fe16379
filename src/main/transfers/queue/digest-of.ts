import { sumUpBody } from '../../service/bodies.ts';
import type { Limits } from './limits/limits.ts';

/** SHA-256 (hex) of a stream, read within the byte limit; null: its length is not `sizeBytes`. */
export async function digestOf(
  { files, signal }: { files: Pick<Limits, 'takeBytes'>; signal: AbortSignal },
  pieces: AsyncIterable<Uint8Array>,
  sizeBytes: number,
): Promise<string | null> {
  const found = await sumUpBody(paced(), sizeBytes);
  return found?.lengthBytes === sizeBytes ? found.sha256 : null;

  async function* paced() {
    for await (const piece of pieces) {
      await files.takeBytes('download', piece.length, signal);
      yield piece;
    }
  }
}

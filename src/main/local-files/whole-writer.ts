import { hash } from 'node:crypto';
import { writeAll, type OpenFile } from './file-system.ts';
import type { TemporaryFileWriter } from './temporary-file-writer.ts';

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

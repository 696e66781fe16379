import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FaultServer } from './faults/fault-server.ts';

/** Identifiers of the parts that a file of this computer goes in, in its order (docs/parts.md). */
export function partsOf(path: string, identifier: string, partBytes: number): string[] {
  const file = readFileSync(path);
  return Array.from({ length: Math.ceil(file.length / partBytes) }, (_, at) => {
    const part = file.subarray(at * partBytes, (at + 1) * partBytes);
    return `${identifier}~p-${createHash('sha256').update(part).digest('hex').slice(0, 32)}`;
  });
}

/** The file that the list under `identifier` stands for, put together of what is at the service. */
export function fileInParts({ objects }: Pick<FaultServer, 'objects'>, identifier: string): Buffer {
  const list = JSON.parse(String(objects.get(identifier)?.bytes)) as { parts: { id: string }[] };
  return Buffer.concat(list.parts.map(({ id }) => objects.get(id)?.bytes ?? Buffer.alloc(0)));
}

import type { FaultServer } from './faults/fault-server.ts';

/** The number of a part of this object, from 0; null: not a part of it (docs/parts.md). */
export function partNumber(identifier: string, object: string): number | null {
  const number = /^~p-[0-9a-f]{32}-([0-9]{5})$/.exec(identifier.slice(object.length))?.[1];
  return number !== undefined && identifier.startsWith(object) ? Number(number) : null;
}

/** Identifiers of the parts that the manifest under `identifier` names, in its order. */
export function partsAt({ objects }: Pick<FaultServer, 'objects'>, identifier: string): string[] {
  const list = JSON.parse(String(objects.get(identifier)?.bytes)) as { parts: { id: string }[] };
  return list.parts.map(({ id }) => id);
}

/** The file of the manifest under `identifier`, assembled from its parts at the service. */
export function fileInParts(service: Pick<FaultServer, 'objects'>, identifier: string): Buffer {
  return Buffer.concat(
    partsAt(service, identifier).map((id) => service.objects.get(id)?.bytes ?? Buffer.alloc(0)),
  );
}

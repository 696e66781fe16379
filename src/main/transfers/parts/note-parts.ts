import { toAppError } from '../../../shared/errors.ts';
import { rowOf, type StepContext } from '../step.ts';
import { isPartId, manifestBeginning, ownerOf, readManifest } from './manifest.ts';
import { takeManifest } from './take-manifest.ts';

/** No list of parts is shorter. */
const leastBytes = manifestBeginning.length + 600;

/**
 * Before an object is deleted its parts are written down: with the list of them gone nobody could name them any more. Where the list of
 * objects does not know what the object is, it is looked at. @throws GateClosed, AppFailure: then nothing is deleted
 */
export async function noteParts(context: StepContext): Promise<void> {
  const { record, inParts, facts } = context;
  const { profileId, origin, identifier } = record;
  // What an upload stores under it next may be met by this deletion.
  if (isPartId(identifier)) return inParts.deletedParts.add({ profileId, origin, id: identifier });
  if (record.objectId === null || inParts.journal.of(record.id) !== null) return;
  const row = (await rowOf(context))?.record;
  // The digest of what a Replace has put beside an object is of the bytes there, which may be a list.
  const isBeside = ownerOf(identifier) !== identifier;
  const isKnownWhole =
    row !== undefined &&
    !isBeside &&
    row.parts === undefined &&
    (row.sha256 !== null || (row.lengthBytes ?? leastBytes) < leastBytes);
  if (isKnownWhole) return;
  const known = row?.parts ? await inParts.manifestOf(record.objectId) : null;
  const bytes = known === null ? await look(context) : Buffer.from(known);
  const reading = readManifest(bytes, identifier, facts.separator);
  if (reading.kind !== 'manifest') return;
  const text = Buffer.from(bytes).toString();
  const plan = { transferId: record.id, profileId, origin, identifier, base: reading.base, text };
  await inParts.journal.begin({ ...plan, of: { kind: 'delete' } });
}

async function look({ record, client, send, signal, facts }: StepContext): Promise<Uint8Array> {
  try {
    const { body } = await send(() => client.downloadData(record.identifier, { signal }));
    const { bytes } = await takeManifest(body, record.identifier, facts.separator);
    body.destroy();
    return bytes;
  } catch (cause) {
    // There is nothing to delete either.
    if (toAppError(cause)?.code === 'missing') return new Uint8Array(0);
    throw cause;
  }
}

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
  const { record, inParts } = context;
  const { profileId, origin, identifier } = record;
  // What an upload stores under it next may be met by this deletion.
  if (isPartId(identifier)) return inParts.deletedParts.add({ profileId, origin, id: identifier });
  if (!isOpen(context) || (await noteKnownParts(context))) return;
  const row = (await rowOf(context))?.record;
  // The digest of what a Replace has put beside an object is of the bytes there, which may be a list.
  const isBeside = ownerOf(identifier) !== identifier;
  const isKnownWhole =
    row !== undefined &&
    !isBeside &&
    row.parts === undefined &&
    (row.sha256 !== null || (row.lengthBytes ?? leastBytes) < leastBytes);
  if (!isKnownWhole) await note(context, await look(context));
}

/** As far as the list of objects knows them: its object may be gone before they were written down. false: it knows of none. */
export async function noteKnownParts(context: StepContext): Promise<boolean> {
  const { record, inParts } = context;
  if (!isOpen(context) || !(await rowOf(context))?.record.parts) return false;
  const known = record.objectId === null ? null : await inParts.manifestOf(record.objectId);
  if (known !== null) await note(context, Buffer.from(known));
  return known !== null;
}

function isOpen({ record, inParts }: StepContext): boolean {
  return record.objectId !== null && inParts.journal.of(record.id) === null;
}

async function note({ record, inParts, facts }: StepContext, bytes: Uint8Array): Promise<void> {
  const { id: transferId, profileId, origin, identifier } = record;
  const reading = readManifest(bytes, identifier, facts.separator);
  if (reading.kind !== 'manifest') return;
  const text = Buffer.from(bytes).toString();
  const plan = { transferId, profileId, origin, identifier, base: reading.base, text };
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

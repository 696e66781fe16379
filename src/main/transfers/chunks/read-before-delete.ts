import { toAppError } from '../../../shared/app-failure.ts';
import type { ChunkContext } from './chunk-context.ts';
import { rowOf } from './chunk-context.ts';
import { headObject } from '../queue/head-object.ts';
import { manifestBeginning, ownerOf, type Manifest } from './manifest.ts';
import { readManifest } from './read-manifest.ts';
import { peekManifest } from './sniff-manifest.ts';

/** No list of parts is shorter. */
const minBytes = manifestBeginning.length + 600;

/**
 * Reads what lies under the identifier of a deletion right before its DELETE leaves. If it is a list of parts, they are written down:
 * with the list gone nobody could name them any more. What the list of objects knows is not enough, because somebody else may have
 * stored another list since. @returns the list that lies there; null: none. @throws CircuitOpen, AppFailure: then nothing is deleted
 */
export async function readBeforeDelete(context: ChunkContext): Promise<Manifest | null> {
  const { record, inParts } = context;
  const manifest = (await mayBeManifest(context)) ? await manifestAt(context) : null;
  await inParts.orphans.noteDeletion(record, manifest);
  return manifest;
}

/** The list was gone before the deletion: its parts are told as left, as far as they are known. */
export async function noteGoneList(context: ChunkContext, read: Manifest | null): Promise<void> {
  const { record, inParts } = context;
  const known = read ?? (await knownManifest(context));
  if (known) await inParts.orphans.noteGone(record, known);
}

async function knownManifest(context: ChunkContext): Promise<Manifest | null> {
  const row = (await rowOf(context))?.record;
  const text = row?.parts ? await context.inParts.manifestOf(row.id) : null;
  const reading = text === null ? null : await readManifest(Buffer.from(text), context.record.identifier);
  return reading?.kind === 'manifest' ? reading.manifest : null;
}

/** Section 4.1, Check Data: by its length alone what lies there is no list, or is the file that the list of objects knows. */
async function mayBeManifest(context: ChunkContext): Promise<boolean> {
  const { identifier } = context.record;
  const row = (await rowOf(context))?.record;
  // The digest of what a Replace has put beside an object is of the bytes there, which may be a list.
  if (!row || row.parts || ownerOf(identifier) !== identifier) return true;
  const seen = await headObject(context, identifier);
  if (!seen.present) return false;
  if (seen.lengthBytes === null) return true;
  const isKnownFile = row.sha256 !== null && row.lengthBytes === seen.lengthBytes;
  return seen.lengthBytes >= minBytes && !isKnownFile;
}

async function manifestAt({ record, client, send, signal }: ChunkContext): Promise<Manifest | null> {
  try {
    const { body } = await send(() => client.downloadData(record.identifier, { signal }));
    const { reading } = await peekManifest(body, record.identifier);
    return reading.kind === 'manifest' ? reading.manifest : null;
  } catch (cause) {
    // There is nothing to delete either.
    if (toAppError(cause)?.code === 'missing') return null;
    throw cause;
  }
}

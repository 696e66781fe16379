import { ownerOf } from '../../../shared/domain/made-names.ts';
import { provenDigest } from '../../../shared/domain/claims.ts';
import { toAppError } from '../../../shared/app-failure.ts';
import type { ChunkContext } from './chunk-context.ts';
import { rowOf } from './chunk-context.ts';
import { manifestBeginning, maxManifestBytes, type Manifest } from './manifest.ts';
import { readManifest, peekManifest } from './read-manifest.ts';

/** No manifest is shorter. */
const minBytes = manifestBeginning.length + 600;

/**
 * Reads what is stored under an identifier right before its DELETE is sent. If it is a manifest, its chunks are
 * recorded: without the manifest they could no longer be named. The list alone is not enough, because somebody may
 * have stored another manifest since.
 * @returns the manifest there; null: none
 * @throws CircuitOpen, AppFailure: then nothing is deleted
 */
export async function readBeforeDelete(
  context: ChunkContext,
): Promise<{ isThere: boolean; manifest: Manifest | null }> {
  const { record, chunks } = context;
  const looked = await look(context);
  const found = looked === 'manifest?' ? await manifestAt(context) : looked;
  const manifest = typeof found === 'string' ? null : found;
  await chunks.orphans.noteDeletion(record, manifest);
  return { isThere: found !== 'absent', manifest };
}

/** The manifest was gone before the deletion: notes its chunks as left, as far as they are known. */
export async function noteGoneList(context: ChunkContext, read: Manifest | null): Promise<void> {
  const { record, chunks } = context;
  const known = read ?? (await knownManifest(context));
  if (known) await chunks.orphans.noteGone(record, known);
}

async function knownManifest(context: ChunkContext): Promise<Manifest | null> {
  const row = (await rowOf(context))?.record;
  const text = row?.parts ? await context.chunks.manifestOf(row.id) : null;
  const reading = text === null ? null : await readManifest(Buffer.from(text), context.record.identifier);
  return reading?.kind === 'manifest' ? reading.manifest : null;
}

/**
 * Section 4.1, Check Data. `file`: the length alone shows that this is no manifest, or that it is the file that the
 * list knows.
 */
async function look(context: ChunkContext): Promise<'manifest?' | 'file' | 'absent'> {
  const { identifier } = context.record;
  const row = (await rowOf(context))?.record;
  // For a name of a Replace beside an object, the digest in the list is of the bytes there, which may be a manifest.
  if (!row || row.parts || ownerOf(identifier) !== identifier) return 'manifest?';
  const seen = await context.service.head(identifier);
  if (!seen.present) return 'absent';
  const { lengthBytes } = seen;
  if (lengthBytes === null) return 'manifest?';
  const isKnownFile = provenDigest(row) !== null && row.lengthBytes === lengthBytes;
  return isKnownFile || lengthBytes < minBytes || lengthBytes > maxManifestBytes ? 'file' : 'manifest?';
}

async function manifestAt({ record, service }: ChunkContext): Promise<Manifest | 'file' | 'absent'> {
  try {
    const { body } = await service.get(record.identifier);
    const { reading } = await peekManifest(body, record.identifier);
    return reading.kind === 'manifest' ? reading.manifest : 'file';
  } catch (cause) {
    // There is nothing to delete either.
    if (toAppError(cause)?.code === 'missing') return 'absent';
    throw cause;
  }
}

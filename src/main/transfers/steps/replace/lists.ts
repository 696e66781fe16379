import { Readable } from 'node:stream';
import type { KeptBytes } from '../../../kept/vault.ts';
import { sentPlanOf } from '../../body.ts';
import { inPartsOf } from '../../parts/journal.ts';
import type { Manifest } from '../../parts/manifest.ts';
import { takeManifest, type Taken } from '../../parts/take-manifest.ts';
import type { Replace } from '../../record.ts';
import { workOf, type StepContext } from '../../step.ts';

/*
 * What a Replace knows of files in parts. Under their identifier lies the list of them: that is what is kept and replaced, while the
 * list of objects and the person know the file.
 */

/**
 * The file that the old bytes are, or whose list they are. A list is written down with what it names, before the object goes.
 * @param beside where they are kept on the service, when they are not here
 */
export async function contentOf(
  context: StepContext,
  old: NonNullable<Replace['old']>,
  beside: string | null,
): Promise<KeptBytes> {
  const { record, inParts } = context;
  const file = old.file ?? beside;
  if (file === null) throw new Error('what is replaced is kept nowhere');
  const { reading, bytes } = await (old.file === null
    ? takeThere(context, file)
    : takeHere(context, { ...old, file }));
  if (reading.kind !== 'manifest') return old;
  const { base, manifest } = reading;
  const { id: transferId, profileId, origin, identifier } = record;
  const text = Buffer.from(bytes).toString();
  const until = old.file === null ? { transferId } : {};
  await inParts.keptLists.put({ file, ...until, profileId, origin, identifier, base, text });
  return fileOf(manifest);
}

/** What the list of objects says of what was stored; of a list of parts, the file's own length and digest. */
export function storedAs(context: StepContext, mine: KeptBytes) {
  const { kept } = workOf(context, 'upload');
  const list = kept ? context.inParts.keptLists.of(kept.file) : sentPlanOf(context);
  if (list === null || list.sha256 !== mine.sha256)
    return { patch: { lengthBytes: mine.lengthBytes, sha256: mine.sha256 } };
  const { parts, manifest } = inPartsOf(list);
  return { patch: { ...fileOf(list.manifest), parts }, manifest };
}

function fileOf({ size: lengthBytes, sha256 }: Manifest): KeptBytes {
  return { lengthBytes, sha256 };
}

async function takeThere({ send, client, signal, facts }: StepContext, identifier: string): Promise<Taken> {
  const { body } = await send(() => client.downloadData(identifier, { signal }));
  const taken = await takeManifest(body, identifier, facts.separator);
  body.destroy();
  return taken;
}

async function takeHere(
  { record, kept, signal, facts }: StepContext,
  old: KeptBytes & { readonly file: string },
): Promise<Taken> {
  const source = await kept.open(old);
  try {
    const body = await source.body({ signal, onProgress: () => undefined });
    const pieces = Readable.from(body instanceof Uint8Array ? [body] : body);
    const taken = await takeManifest(pieces, record.identifier, facts.separator);
    pieces.destroy();
    return taken;
  } finally {
    await source.close();
  }
}

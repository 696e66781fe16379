import { versionIdentifier } from '../../../shared/domain/versions.ts';
import { toAppError } from '../../../shared/errors.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { ProfileFacts } from '../../profiles/connections.ts';
import type { PatientRequest } from '../patient-request.ts';
import type { KeptLists } from './kept-lists.ts';
import { beginsLikeManifest, isOfBase, isPartId, ownerOf, stemOf } from './manifest.ts';
import { takeManifest } from './take-manifest.ts';

/** What of the list of objects tells of parts. */
export type PartLists = Pick<Catalogue, 'identifiersFrom' | 'abandonedLists' | 'forgetAbandoned'>;

/** After so many numbers in a row that nobody has, no further version is looked for. */
const mostGaps = 3;
/** More than any list: the service must be answering nonsense. */
const mostVersions = 10_000;

/**
 * Which parts of an object are named by the list of any of its versions: those on the list of objects, those found by their numbers,
 * and those kept here to undo a Replace with. null: one of them could not be read, so nobody knows. @throws the signal's reason
 */
export async function findNamedParts(
  {
    catalogue,
    keptLists,
    request,
    facts,
  }: {
    catalogue: Pick<PartLists, 'identifiersFrom'>;
    keptLists: Pick<KeptLists, 'all'>;
    request: PatientRequest;
    facts: ProfileFacts;
  },
  { origin, base }: { readonly origin: string; readonly base: string },
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const { id: profileId, separator, versionMark } = facts;
  const named = new Set<string>();
  const known = new Set([base]);

  function takeKept(): void {
    for (const list of keptLists.all()) {
      if (list.profileId !== profileId || list.origin !== origin || list.base !== base) continue;
      for (const { id } of list.manifest.parts) named.add(id);
    }
  }

  /** false: nothing is there; null: it cannot be read. */
  async function read(identifier: string): Promise<boolean | null> {
    try {
      return await request(profileId, signal, async (client, _, now) => {
        if (now !== origin) return null;
        const { body } = await client.downloadData(identifier, { signal });
        const { reading, bytes } = await takeManifest(body, identifier, separator);
        body.destroy();
        if (reading.kind === 'manifest') for (const { id } of reading.manifest.parts) named.add(id);
        // What begins like a list and cannot be read as one may name any.
        const isClear = reading.kind === 'manifest' || !beginsLikeManifest(bytes);
        return isClear || null;
      });
    } catch (cause) {
      signal.throwIfAborted();
      return toAppError(cause)?.code === 'missing' ? false : null;
    }
  }

  async function findListed(): Promise<string[]> {
    const listed = await catalogue.identifiersFrom(profileId, stemOf(base, separator).stem);
    return listed.filter((each) => isOfBase(ownerOf(each), base, separator) && !isPartId(each));
  }

  takeKept();
  for (const identifier of await findListed()) known.add(identifier);
  for (const identifier of known) if ((await read(identifier)) === null) return null;
  for (let number = 2, gaps = 0; gaps < mostGaps; number += 1) {
    const identifier = versionIdentifier(base, separator, versionMark, number);
    const isThere = known.has(identifier) || (await read(identifier));
    if (isThere === null || number > mostVersions) return null;
    gaps = isThere ? 0 : gaps + 1;
  }
  // A Replace may have changed what was read, and what it replaced is kept: here, or under a name that was not on the list yet.
  takeKept();
  for (const identifier of await findListed())
    if (!known.has(identifier) && (await read(identifier)) === null) return null;
  return named;
}

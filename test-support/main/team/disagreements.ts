import { dueBits } from '../../../src/main/objects/team/outbox.ts';
import { isUnverified } from '../../../src/shared/domain/unverified.ts';
import type { OpenTeamCopy } from '../objects/team-copy.ts';
import { readRows } from './team-lane.ts';
import type { Installation } from './world-team.ts';

export interface Sight {
  readonly atMs: number;
  readonly isThere: boolean;
  /** This computer has heard of a later look, so its own is only history. */
  readonly isOverruled: boolean;
}

export interface Seeing extends Pick<Installation, 'name' | 'member'> {
  readonly copy: OpenTeamCopy;
  /** This computer's newest look at each object. */
  readonly sights: ReadonlyMap<string, Sight>;
  /** What the person has taken off this list. */
  readonly takenOff: ReadonlySet<string>;
}

/** Differences of a copy from the server, or from what was seen there. */
export async function disagreementsOf(
  { copy, member, name: who, sights, takenOff }: Seeing,
  identifiers: readonly string[],
): Promise<unknown[]> {
  const found: unknown[] = [];
  const rows = new Map((await readRows(member)).map((row) => [row.identifier, row]));
  const [shared, refused] = [new Set(copy.sharedNames()), copy.refusedBits()];
  for (const identifier of identifiers) {
    const [local, server] = [copy.row(identifier), rows.get(identifier)];
    const untold = refused.get(identifier) ?? 0;
    const isVisible = server !== undefined && !server.isForgotten;
    // The server refused to take it off the list for everybody.
    const isTakenOffHere = local === null && (untold & dueBits.forget) !== 0;
    // Taken off here alone, then stored again: the server accepted neither, and sends the row again only when it changes.
    const isStoredHere = local !== null && takenOff.has(identifier) && (untold & dueBits.bytes) !== 0;
    if (shared.has(identifier) !== isVisible && !isTakenOffHere && !isStoredHere)
      found.push({ who, identifier, isShared: shared.has(identifier), untold, local, server });
    if (local !== null && server !== undefined && shared.has(identifier)) {
      const is = {
        state: local.state,
        lengthBytes: local.lengthBytes,
        sha256: local.sha256,
        classification: local.classification,
        note: local.note,
        incarnation: copy.incarnationOf(identifier),
      };
      const { state, note } = server;
      // A computer that has read other bytes than the server's keeps them and does not pass on others' stores: their memory of it is lost.
      const isReadHere = local.sha256 !== null && !isUnverified(local, 'digest');
      const isReadOtherwise = isReadHere && local.sha256 !== server.sha256;
      const { lengthBytes, sha256, classification, incarnation } = server;
      // For bytes that were only found, the server may lack these fields: here they may be known, or unverified.
      const known = incarnation === null ? is : { lengthBytes: null, sha256: null, classification: null };
      const bytes = {
        lengthBytes: lengthBytes ?? known.lengthBytes,
        sha256: sha256 ?? known.sha256,
        classification: classification ?? known.classification,
        incarnation,
      };
      // What the server refuses to hear of an object is known only here; the rest must equal the server's.
      const isSeenUntold = (untold & (dueBits.bytes | dueBits.presence)) !== 0;
      const says = {
        ...is,
        ...(!isSeenUntold && { state }),
        ...((untold & dueBits.note) === 0 && { note }),
        ...(!isSeenUntold && !isReadOtherwise && bytes),
      };
      if (JSON.stringify(is) !== JSON.stringify(says))
        found.push({
          who,
          identifier,
          local: { ...is, ...local },
          server,
          untold,
          sight: sights.get(identifier),
        });
    }
    const sight = sights.get(identifier);
    if (local === null || sight === undefined || local.state === 'failed') continue;
    const isThere = local.state === 'stored';
    const isLater = isUnverified(local, 'presence') && (local.checkedAtMs ?? 0) >= sight.atMs;
    if (isThere !== sight.isThere && !isLater) found.push({ who, identifier, says: local, saw: sight });
  }
  const { due } = (await copy.team.stateOf(copy.serviceId)) ?? {};
  if (due !== 0) found.push({ who, due });
  return found;
}

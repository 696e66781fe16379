import { hash } from 'node:crypto';
import { isChunkId } from '../../../../src/main/transfers/chunks/manifest.ts';
import { digestAt, listAt, versionAt } from './lists.ts';
import { whoTookPart, type Looked } from './look.ts';
import type { Person } from './person.ts';

/**
 * In the end the list of one who alone has touched an object says what lies there. What others have done nobody tells it, and after a
 * copy was put back it is of earlier. Two services of one installation are two persons in this, and whoever adds a name that Coffer has
 * made for the time of a Replace sees it go.
 */
export async function lookAtRows(looked: Looked, person: Person): Promise<void> {
  const { service, blame, wishes } = looked;
  const byIdentifier = Map.groupBy(service.requests, ({ identifier }) => identifier);
  if (person.serviceIds.length > 1) return;
  const rows = await person.rows();
  for (const [identifier, stored] of service.versions) {
    const isOthers =
      stored.some(({ by, removedBy }) => by === 'stranger' || (removedBy !== null && removedBy !== 'us')) ||
      byIdentifier.get(identifier)?.some(({ who, what }) => who !== person.who && changes.has(what)) === true;
    if (
      isOthers ||
      identifier.includes('~r-') ||
      (isChunkId(identifier) && !wishes.isChosen(service, identifier))
    )
      continue;
    const there = versionAt(service, identifier);
    // What looks like a list and cannot be read is told by who tries to download it.
    const isUnreadable = there?.text.startsWith('{"coffer') === true && !listAt(identifier, there.text);
    const isTaken = listAt(identifier, there?.text ?? '')?.parts.some(
      ({ id }) => !versionAt(service, id) || whoTookPart(looked, id, identifier) !== null,
    );
    for (const { state, sha256 } of rows.filter((row) => row.identifier === identifier)) {
      const where = `${identifier} of ${person.who}`;
      if (!there && state === 'stored') blame(`I7: ${where} is not there, and its list says stored`);
      if (there && isTaken !== true && ['gone', 'missing', 'failed', 'uploading', 'deleting'].includes(state))
        blame(`I7: ${where} is there, and its list says ${state}`);
      const isSure = there && !isUnreadable && state === 'stored' && sha256 !== null;
      // Of a list that is kept beside an object, the digest may be of the list.
      if (isSure && ![digestAt(identifier, there.text), hash('sha256', there.text)].includes(sha256))
        blame(`I7: ${where} holds other bytes than its list says`);
    }
  }
}

const changes: ReadonlySet<string> = new Set(['POST', 'start', 'DELETE']);

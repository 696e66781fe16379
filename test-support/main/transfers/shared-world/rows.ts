import { hash } from 'node:crypto';
import { isPartId } from '../../../../src/shared/domain/made-names.ts';
import { digestAt, listAt, versionAt } from './lists.ts';
import { whoTookPart, type Checked } from './checks.ts';
import type { Person } from './person.ts';

/**
 * Checks at the end that the list is right for every object that only this installation has touched. It cannot know what others did,
 * and is outdated after a copy of the database was restored. Two services of one installation count as two persons. A temporary
 * name that Coffer made for a Replace disappears, even if somebody has added it to the list.
 */
export async function checkRows(looked: Checked, person: Person): Promise<void> {
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
      (isPartId(identifier) && !wishes.isChosen(service, identifier))
    )
      continue;
    const there = versionAt(service, identifier);
    // An unreadable manifest is only noticed by a download.
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
      // For a manifest kept beside an object, the digest may be that of the manifest itself.
      if (isSure && ![digestAt(identifier, there.text), hash('sha256', there.text)].includes(sha256))
        blame(`I7: ${where} holds other bytes than its list says`);
    }
  }
}

const changes: ReadonlySet<string> = new Set(['POST', 'start', 'DELETE']);

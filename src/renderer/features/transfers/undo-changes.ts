import type { Transfer } from '../../../shared/domain/transfer.ts';
import type { Client } from '../../app/client.ts';
import { undoAct } from '../../app/undo.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import { type Act, announce } from '../../ui/announce.tsx';

const texts = transferTexts.news;

/** What an undo has asked for: when that is done, it is no further step to undo. */
const undoing = new Set<string>();

/** Undoes what has been renamed, moved or reclassified; null: not all of it was, or it can't be undone from here. */
export function undoOf(client: Client, rows: readonly Transfer[]): Act | null {
  const moved = rows.flatMap(movedOf);
  if (moved.length > 0 && moved.length === rows.length) return undoMoves(client, moved);
  const reclassified = rows.flatMap(reclassifiedOf);
  if (reclassified.length === 0 || reclassified.length < rows.length) return null;
  return undoClassifications(client, reclassified);
}

type Moved = { objectId: number; identifier: string; from: string };

function movedOf({ objectId, identifier, outcome }: Transfer): Moved[] {
  if (objectId === null || outcome?.kind !== 'stored' || outcome.movedFrom === undefined) return [];
  return [{ objectId, identifier, from: outcome.movedFrom }];
}

type Reclassified = { objectId: number; classification: string | null; from: string | null };

function reclassifiedOf({ objectId, outcome }: Transfer): Reclassified[] {
  if (objectId === null || outcome?.kind !== 'stored' || outcome.classifiedFrom === undefined) return [];
  return [{ objectId, classification: outcome.classification ?? null, from: outcome.classifiedFrom }];
}

const moveKey = (from: string, to: string) => `move ${JSON.stringify([from, to])}`;
const classKey = (objectId: number, to: string | null) => `classify ${JSON.stringify([objectId, to])}`;

/** Moves them back, those of one folder at once. */
function undoMoves(client: Client, moved: readonly Moved[]): Act | null {
  if (wasAsked(moved.map(({ from, identifier }) => moveKey(from, identifier)))) return null;
  const [first] = moved;
  if (first === undefined) return null;
  const run = async () => {
    let count = 0;
    for (const group of Map.groupBy(moved, beginningsKey).values()) {
      const [{ from, identifier } = first] = group;
      const { before, now } = beginningsOf(from, identifier);
      for (const each of group) undoing.add(moveKey(each.identifier, each.from));
      const selection = { kind: 'ids' as const, ids: group.map(({ objectId }) => objectId) };
      const to =
        group.length === 1
          ? ({ kind: 'name', identifier: from } as const)
          : ({ kind: 'beginning', from: now, to: before } as const);
      count += (await client.call('objects.move', { selection, to })).count;
    }
    if (moved.length === 1 && count === 0)
      announce(texts.notRenamedBack({ identifier: first.identifier }), 'assertive');
    else if (count < moved.length) announce(texts.notMovedBack({ count: moved.length - count }), 'assertive');
  };
  const of = moved.length === 1 ? 'rename' : 'move';
  return undoAct({ of, key: `${of} ${first.objectId} ${first.from}`, run });
}

/** What of the two identifiers differs, at their beginning: the same for all that moved with a folder. */
function beginningsOf(before: string, now: string): { before: string; now: string } {
  let same = 0;
  const most = Math.min(before.length, now.length);
  while (same < most && before.at(-1 - same) === now.at(-1 - same)) same += 1;
  return { before: before.slice(0, before.length - same), now: now.slice(0, now.length - same) };
}

function beginningsKey({ from, identifier }: Moved): string {
  return JSON.stringify(beginningsOf(from, identifier));
}

/** Gives them their former classifications back, those with the same at once. */
function undoClassifications(client: Client, changed: readonly Reclassified[]): Act | null {
  if (wasAsked(changed.map(({ objectId, classification }) => classKey(objectId, classification))))
    return null;
  const run = async () => {
    let count = 0;
    for (const [classification, group] of Map.groupBy(changed, ({ from }) => from)) {
      const ids = group.map(({ objectId }) => objectId);
      for (const id of ids) undoing.add(classKey(id, classification));
      const selection = { kind: 'ids' as const, ids };
      count += (await client.call('objects.reclassify', { selection, classification })).count;
    }
    if (count < changed.length)
      announce(texts.notReclassifiedBack({ count: changed.length - count }), 'assertive');
  };
  return undoAct({ of: 'classify', key: `classify ${String(changed[0]?.objectId)} ${Date.now()}`, run });
}

/** Whether these are what an undo has asked for. */
function wasAsked(keys: readonly string[]): boolean {
  const known = keys.filter((key) => undoing.delete(key));
  return known.length === keys.length;
}

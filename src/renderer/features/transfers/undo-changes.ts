import { reclassifiedBy, type Transfer } from '../../../shared/domain/transfer.ts';
import type { Client } from '../../app/client.ts';
import { moveKey, undoMove, undoneMoves } from '../../app/undo-move.ts';
import { undoAct, undoOffered } from '../../app/undo.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import { type Act, announce } from '../../ui/announce.tsx';

const texts = transferTexts.news;

/** The classifications that an undo has asked for: when they are there, that is no further step to undo. */
const undoing = new Set<string>();

/**
 * Undoes what has been renamed, moved or reclassified; null: not all of it was, or it can't be undone from here.
 * @param rows the newest first
 */
export function undoOf(client: Client, rows: readonly Transfer[]): Act | null {
  if (rows.length === 0) return null;
  if (rows.every(isMove)) return undoMoves(client, rows);
  return rows.every(isReclassified) ? undoClassifications(client, rows) : null;
}

function isMove({ outcome }: Transfer): boolean {
  return outcome?.kind === 'stored' && outcome.movedFrom !== undefined;
}

function isReclassified({ objectId, outcome }: Transfer): boolean {
  return objectId !== null && outcome?.kind === 'stored' && outcome.classifiedFrom !== undefined;
}

const classKey = (objectId: number, to: string | null) => `classify ${JSON.stringify([objectId, to])}`;

function undoMoves(client: Client, rows: readonly Transfer[]): Act | null {
  const ids = rows.map(({ id }) => id);
  if (ids.every((id) => undoneMoves.delete(id))) return null;
  return (
    undoOffered(ids) ??
    undoAct({
      of: rows.length === 1 ? 'rename' : 'move',
      key: moveKey(ids),
      transferIds: ids,
      run: () => undoMove(client, ids),
    })
  );
}

/** Gives them their former classifications back, those with the same at once. */
function undoClassifications(client: Client, rows: readonly Transfer[]): Act | null {
  const changed = reclassifiedBy(rows.filter((row) => !wasAsked(row)));
  if (changed.length === 0) return null;
  const run = async () => {
    let count = 0;
    for (const [classification, group] of Map.groupBy(changed, ({ from }) => from)) {
      const ids = group.map(({ objectId }) => objectId);
      for (const id of ids) undoing.add(classKey(id, classification));
      const selection = { kind: 'ids' as const, ids };
      count += (await client.call('objects.reclassify', { selection, classification, isUndo: true })).count;
    }
    if (count < changed.length)
      announce(texts.notReclassifiedBack({ count: changed.length - count }), 'assertive');
  };
  return undoAct({ of: 'classify', key: `classify ${String(changed[0]?.objectId)} ${Date.now()}`, run });
}

/** Whether an undo has asked for it. */
function wasAsked(row: Transfer): boolean {
  return reclassifiedBy([row]).some(({ objectId, to }) => undoing.delete(classKey(objectId, to)));
}

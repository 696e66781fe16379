import { type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { ObjectRow, Output } from '../../../../shared/contract.ts';
import { canMove, type FolderRow, type ObjectQuery } from '../../../../shared/domain/object.ts';
import { showDock } from '../../../app/dock.ts';
import { useClient } from '../../../app/client.ts';
import { folderAbove, nameWithin } from '../../../../shared/domain/folder.ts';
import { canTakeOut } from '../../../../shared/domain/take-out.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { useActiveService } from '../../../app/stores.ts';
import { useCommand } from '../../../app/commands.ts';
import { useObjectActions } from '../actions/use-object-actions.ts';
import { useSelectionSummary, useShownSelection } from '../selection/use-shown-selection.ts';
import { useSoughtFolder, useSoughtObject } from '../search/use-sought.ts';
import { useFirstRow, useUploaded } from '../selection/use-first-row.ts';
import { useBrowser } from '../state/browser-store.ts';
import { countSelected, isSelected, toWire } from '../state/selection.ts';
import type { Intent } from './grid-keys.ts';
import { useObjectQuery, useObjectRows } from './use-object-rows.ts';
import { type DraggedRows, useRowDrag } from './use-row-drag.ts';
import { useRowSelection } from './use-row-selection.ts';

const held = [
  { index: 'cursor', id: 'cursorId' },
  { index: 'anchor', id: 'anchorId' },
] as const;

/**
 * Keeps the focus and the start of a selection on their rows while rows are added or removed above. If the row itself
 * disappears, the row now at its index takes its place.
 */
function useHeldRows(query: ObjectQuery | null, page: Output<'objects.page'> | null): void {
  const client = useClient();
  const cursor = useBrowser((state) => state.cursor);
  const anchor = useBrowser((state) => state.anchor);
  const isHeld = useBrowser((state) => state.isHeld);
  /** The list revision for which each index was valid. */
  const rightFor = useRef({ cursor: -1, anchor: -1 });
  useLayoutEffect(() => {
    let live = true;
    const state = useBrowser.getState();
    if (!isHeld || page === null || query === null || query !== state.query) return undefined;
    const { rows, offset, total, revision } = page;
    const idAt = (index: number) => rows[index - offset]?.id ?? null;
    for (const { index, id } of held) {
      const known = state[id];
      if (known !== null && idAt(state[index]) === known) rightFor.current[index] = revision;
      if (rightFor.current[index] === revision) continue;
      const at = known === null ? -1 : rows.findIndex((row) => row.id === known);
      if (known === null) useBrowser.setState({ [id]: idAt(state[index]) });
      else if (at >= 0) useBrowser.setState({ [index]: offset + at });
      else {
        client.call('objects.indexOf', { query, id: known }).then(
          (found) => {
            if (!live || useBrowser.getState()[id] !== known) return;
            rightFor.current[index] = revision;
            const standing = Math.max(0, Math.min(state[index], total - 1));
            useBrowser.setState(
              found.index === null ? { [index]: standing, [id]: idAt(standing) } : { [index]: found.index },
            );
          },
          // The next page tries again.
          () => undefined,
        );
      }
    }
    return () => {
      live = false;
    };
  }, [client, query, page, cursor, anchor, isHeld]);
}

/** The objects or secrets of the open place: rows, selection and actions. */
export function useObjectList(serviceId: string | null) {
  const query = useObjectQuery(serviceId);
  const rows = useObjectRows(query);
  const { answered, page, rowAt, folderAt } = rows;
  const selection = useBrowser((browser) => browser.selection);
  const folders = useBrowser((browser) => browser.folders);
  const cursor = useBrowser((browser) => browser.cursor);
  const total = page?.total ?? 0;
  const count = countSelected(selection, total);
  const wire = useMemo(
    () => (query === null || count + folders.size === 0 ? null : toWire(selection, folders, query)),
    [selection, folders, query, count],
  );
  const summary = useSelectionSummary(wire, page?.revision);
  // Some of the selected rows may have been removed since.
  const isCounted = selection.kind === 'allExcept' && folders.size === 0;
  /** Of all objects that an action means, with those in folders. */
  const objectCount = isCounted ? count : (summary?.count ?? count);
  useEffect(() => useBrowser.setState({ objectCount }), [objectCount]);
  const label = objectTexts.selection.count({ count: count + folders.size });
  const actions = useObjectActions(wire);
  const { act } = actions;
  useHeldRows(answered, page);
  useShownSelection(answered, page);
  useSoughtObject(answered === query ? query : null);
  useSoughtFolder(answered === query ? query : null);
  useFirstRow(answered === query ? query : null, page);
  const separator = useActiveService()?.separator ?? '';
  useUploaded(answered === query ? query : null, page, separator);
  const rowSelection = useRowSelection({ query: answered, rowAt, folderAt, act });

  /** The selected rows, or only this one if it isn't selected. Fixed during the drag, like the label. */
  function takeRows({ row, index }: { row: ObjectRow; index: number }): DraggedRows | null {
    if (!canTakeOut(row)) return null;
    const isOne = count + folders.size === 1 || !isSelected(selection, row.id) || wire === null;
    // Not if another row has taken its index meanwhile.
    if (rowAt(index)?.id === row.id) rowSelection.aim(index);
    const { serviceId } = row;
    return isOne
      ? {
          serviceId,
          label: nameWithin(row.identifier, folderAbove(row.identifier, separator), separator),
          count: 1,
          selection: { kind: 'ids', ids: [row.id] },
          canMove: canMove(row),
        }
      : {
          serviceId,
          label,
          count: objectCount,
          selection: wire,
          canMove: true,
          canMoveInto: isOutsideOf([...folders]),
        };
  }
  /** Whether a folder is none of the dragged ones, nor inside of one. */
  const isOutsideOf = (paths: readonly string[]) => (folder: string) =>
    paths.every((path) => folder !== path && nameWithin(folder, path, separator) === folder);
  /** The selection, or only this folder if it isn't selected. */
  function takeFolder({ path, name, count: inside }: FolderRow, index: number): DraggedRows | null {
    if (serviceId === null || query === null) return null;
    const isIn = folders.has(path) && wire !== null;
    const isOne = !isIn || count + folders.size === 1;
    if (folderAt(index)?.path === path) rowSelection.aim(index);
    return {
      serviceId,
      label: isOne ? name : label,
      count: isIn ? objectCount : inside,
      selection: isIn ? wire : { kind: 'folders', serviceId, paths: [path], and: null },
      canMove: true,
      canMoveInto: isOutsideOf(isIn ? [...folders] : [path]),
    };
  }
  const press = useRowDrag({
    take: (pressed: { row: ObjectRow; index: number } | { folder: FolderRow; index: number }) =>
      'row' in pressed ? takeRows(pressed) : takeFolder(pressed.folder, pressed.index),
    move: (folder, dragged) => actions.moveInto(folder, dragged.selection),
  });
  function grab(index: number, event: PointerEvent): void {
    const row = rowAt(index);
    const folder = folderAt(index);
    if (row !== undefined) press({ row, index }, event);
    else if (folder !== undefined) press({ folder, index }, event);
  }

  function takeIntent(intent: Intent) {
    if (intent.kind === 'copy' || intent.kind === 'copyIdentifiers') actions.copyIdentifiers();
    else rowSelection.apply(intent);
  }

  function selectAll() {
    const active = document.activeElement;
    if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) active.select();
    else rowSelection.apply({ kind: 'all' });
  }

  useCommand('selectAll', selectAll, total + rows.folderCount > 0);
  useCommand('details', () => showDock('details'));
  return {
    ...rows,
    query,
    total,
    cursor,
    count,
    objectCount,
    summary,
    wire,
    actions,
    rowSelection,
    grab,
    takeIntent,
  };
}

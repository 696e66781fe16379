import { type PointerEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { ObjectRow, Output } from '../../../../shared/contract.ts';
import { canMove, type ObjectQuery } from '../../../../shared/domain/object.ts';
import { followSelection, showDock, useDock } from '../../../app/dock.ts';
import { useFirstUpload } from '../../../app/first-upload.ts';
import { standOn, useBrowser } from '../state/browser-store.ts';
import { countSelected, isSelected, selectIds, toWire } from '../state/selection.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { useClient } from '../../../app/client.ts';
import { announce } from '../../../ui/announce.tsx';
import { folderAbove, nameWithin } from '../../../../shared/domain/folder.ts';
import { canTakeOut } from '../../../../shared/domain/take-out.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { useActiveService } from '../../../app/stores.ts';
import { useCommand } from '../../../app/commands.ts';
import { useObjectActions } from '../actions/use-object-actions.ts';
import { useShownSelection } from '../selection/use-shown-selection.ts';
import type { Intent } from './grid-keys.ts';
import { useObjectQuery, useObjectRows } from './use-object-rows.ts';
import { type DraggedRows, useRowDrag } from './use-row-drag.ts';
import { useRowSelection } from './use-row-selection.ts';

/** Selects the first object uploaded to an empty list, and opens Details this once, even in a narrow window. */
function useFirstRow(query: ObjectQuery | null, page: Output<'objects.page'> | null): void {
  const isAwaited = useFirstUpload(({ isAwaited }) => isAwaited);
  const isListEmpty = query !== null && query.search === '' && page?.total === 0;
  useEffect(() => {
    useFirstUpload.setState({ isListEmpty });
    return () => useFirstUpload.setState({ isListEmpty: false });
  }, [isListEmpty]);

  const first = query !== null && page?.offset === 0 ? page.rows[0] : undefined;
  useEffect(() => {
    if (!isAwaited || first === undefined) return;
    useFirstUpload.setState({ isAwaited: false });
    const { selection } = useBrowser.getState();
    if (useDock.getState().isPinned || selection.kind !== 'ids' || selection.ids.size > 0) return;
    standOn(0, first.id);
    useBrowser.setState({ selection: selectIds([first.id]) });
    showDock('details');
  }, [isAwaited, first]);
}

/** Finds the sought folder above the objects and focuses it. */
function useSoughtFolder(query: ObjectQuery | null): void {
  const client = useClient();
  const path = useBrowser(({ soughtFolder }) => soughtFolder);
  useEffect(() => {
    let live = true;
    if (path === null || query === null) return undefined;
    client.call('objects.folderIndex', { query, path }).then(
      ({ index }) => {
        if (!live) return;
        const { folderCount } = useBrowser.getState();
        useBrowser.setState({ soughtFolder: null });
        if (index !== null && index < folderCount) standOn(index - folderCount, null);
      },
      () => live && useBrowser.setState({ soughtFolder: null }),
    );
    return () => {
      live = false;
    };
  }, [client, query, path]);
}

/** Finds the sought object in the list and focuses it. */
function useSoughtObject(query: ObjectQuery | null): void {
  const client = useClient();
  const id = useBrowser((state) => state.soughtId);
  const purpose = useBrowser((state) => state.soughtFor);
  useEffect(() => {
    let live = true;
    if (id === null || query === null) return undefined;
    client.call('objects.indexOf', { query, id }).then(
      ({ index }) => {
        if (!live) return;
        useBrowser.setState({ soughtId: null });
        if (index === null) {
          if (purpose === 'show') announce(errorLine({ code: 'notFound', what: 'object' }), 'assertive');
          return;
        }
        standOn(index, id);
        if (purpose !== 'focus') useBrowser.setState({ selection: selectIds([id]) });
        if (purpose === 'show') showDock('details');
        if (purpose === 'select') followSelection();
      },
      () => live && useBrowser.setState({ soughtId: null }),
    );
    return () => {
      live = false;
    };
  }, [client, query, id, purpose]);
}

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
  const { answered, page, rowAt } = rows;
  const selection = useBrowser((browser) => browser.selection);
  const cursor = useBrowser((browser) => browser.cursor);
  const total = page?.total ?? 0;
  const count = countSelected(selection, total);
  const wire = useMemo(
    () => (query === null || count === 0 ? null : toWire(selection, query)),
    [selection, query, count],
  );
  const actions = useObjectActions(wire);
  const { act } = actions;
  useHeldRows(answered, page);
  useShownSelection(answered, page);
  useSoughtObject(answered === query ? query : null);
  useSoughtFolder(answered === query ? query : null);
  useFirstRow(answered === query ? query : null, page);
  const rowSelection = useRowSelection({ query: answered, rowAt, act });

  const separator = useActiveService()?.separator ?? '';
  /** The selected rows, or only this one if it isn't selected. Fixed during the drag, like the label. */
  function takeRows({ row, index }: { row: ObjectRow; index: number }): DraggedRows | null {
    if (!canTakeOut(row)) return null;
    const isOne = count === 1 || !isSelected(selection, row.id) || wire === null;
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
      : { serviceId, label: objectTexts.selection.count({ count }), count, selection: wire, canMove: true };
  }
  const press = useRowDrag({
    take: takeRows,
    move: (folder, dragged) => actions.askToMoveInto(folder, dragged.selection),
  });
  function grab(index: number, event: PointerEvent): void {
    const row = rowAt(index);
    if (row !== undefined) press({ row, index }, event);
  }

  function takeIntent(intent: Intent) {
    if (intent.kind === 'copy') actions.copyIdentifiers();
    else rowSelection.apply(intent);
  }

  function selectAll() {
    const active = document.activeElement;
    if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) active.select();
    else rowSelection.apply({ kind: 'all' });
  }

  useCommand('selectAll', selectAll, total > 0);
  useCommand('details', () => showDock('details'));
  return { ...rows, query, total, cursor, count, wire, actions, rowSelection, grab, takeIntent };
}

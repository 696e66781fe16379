import { useMemo, useRef, type DragEvent } from 'react';
import type { Selection } from '../../../../shared/domain/object.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { useCommand } from '../../../app/commands.ts';
import { showDock } from '../../../app/dock.ts';
import { useBrowser } from '../browser-store.ts';
import type { Intent } from './grid-keys.ts';
import { countSelected, isSelected, toWire } from '../selection/selection.ts';
import { useObjectActions } from '../use-object-actions.ts';
import { useObjectQuery, useObjectRows } from './use-object-rows.ts';
import { useHeldRows } from './use-held-rows.ts';
import { beginRowDrag, useRowDrop } from './use-row-drag.ts';
import { useRowSelection } from './use-row-selection.ts';
import { useShownSelection } from '../selection/use-shown-selection.ts';
import { useSoughtObject } from '../search/use-sought-object.ts';
import { useFirstRow } from '../selection/use-first-row.ts';

/** The objects or secrets of the open place: rows, selection and actions. */
export function useObjectList(serviceId: string | null) {
  const query = useObjectQuery(serviceId);
  const rows = useObjectRows(query);
  const { answered, page, rowAt } = rows;
  const { selection, cursor } = useBrowser();
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
  useFirstRow(answered === query ? query : null, page);
  const rowSelection = useRowSelection({ query: answered, rowAt, run: (work) => act.run(work) });

  /** What the label at the pointer names: the selection may change while it is dragged. */
  const dragged = useRef<Selection | null>(null);
  useRowDrop((folder) => dragged.current && actions.askToMoveInto(folder, dragged.current));
  /** Drags the selected rows, or only this one if it isn't selected. */
  function drag(index: number, event: DragEvent) {
    const row = rowAt(index);
    if (row === undefined) return;
    const isOne = count === 1 || !isSelected(selection, row.id);
    dragged.current = isOne ? { kind: 'ids', ids: [row.id] } : wire;
    beginRowDrag(event, isOne ? row.identifier : objectTexts.selection.count({ count }));
    rowSelection.aim(index);
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
  return { ...rows, query, total, cursor, count, wire, actions, rowSelection, drag, takeIntent };
}

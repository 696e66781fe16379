import { useEffect, useRef, type KeyboardEvent } from 'react';
import { isPressed, listKeys, type Press } from '../../../../shared/keys.ts';
import { runCommand } from '../../../app/commands.ts';
import { focusGrid } from '../../../app/grid.ts';
import { alongLine, commandOf, inlineKey, inlineStart } from '../../../app/key-bindings.ts';
import { useBrowser } from '../state/browser-store.ts';
import { readKey, soughtName, typeOn, type Intent, type Typed } from './grid-keys.ts';
import type { GridLines } from './grid-lines.ts';
import type { GridProps, Point } from './grid-props.ts';
import { rowId, rowIndex } from './ObjectRowView.tsx';

/** The keys of the grid, which has the focus for all of its rows. */
export function useGridKeys(
  props: Pick<
    GridProps,
    'folders' | 'isBusy' | 'isTiled' | 'total' | 'onIntent' | 'onSeek' | 'onLook' | 'onLeave'
  >,
  view: { lines: GridLines; pageLines: number; reveal: (at: number) => void },
  open: { row: () => void; menu: (index: number, at: Point) => void },
) {
  const { folders, isBusy, isTiled = false, onIntent, onSeek, onLook, onLeave } = props;
  const { lines, pageLines, reveal } = view;
  const folderCount = folders?.count ?? 0;
  const total = folderCount + props.total;
  const cursor = useBrowser((browser) => browser.cursor);
  const typed = useRef<Typed>({ text: '', atMs: -Infinity });
  /** The last key pressed while the list was loading. */
  const early = useRef<Press | null>(null);

  function takeKey(event: KeyboardEvent) {
    if (event.target !== event.currentTarget) {
      const isInRow = event.target instanceof HTMLButtonElement && rowIndex(event.target) !== null;
      if (inlineKey(event.key) === 'start' && isInRow) focusGrid();
      if (!isForList(event)) return;
      if (isPressed(listKeys.step, event)) focusGrid();
    }
    // On macOS one of its keys would also move without selecting.
    if (commandOf(event.nativeEvent, false) === 'up') return;
    const typing = typeOn(event, typed.current, event.timeStamp);
    if (typing !== null) {
      typed.current = typing;
      onSeek(soughtName(typing, cursor));
      event.preventDefault();
      return;
    }
    const intent = intentOf(event);
    if (isPressed(listKeys.details, event)) runCommand('details');
    else if (isPressed(listKeys.open, event)) {
      if (isBusy) early.current = event.nativeEvent;
      else open.row();
    } else if (isPressed(listKeys.deleteNow, event)) runCommand('deleteNow');
    else if (isPressed(listKeys.delete, event)) runCommand('delete');
    else if (isPressed(listKeys.menu, event)) openMenuAtCursor();
    else if (isPressed(listKeys.look, event)) onLook?.();
    else if (!isTiled && inlineKey(event.key) === 'start' && !hasModifier(event)) onLeave?.();
    else if (!isTiled && inlineKey(event.key) === 'end' && !hasModifier(event))
      document.getElementById(rowId(cursor))?.querySelector('button')?.focus();
    else if (intent === null) return;
    else if (isBusy) early.current = event.nativeEvent;
    else takeIntent(intent);
    event.preventDefault();
  }

  function intentOf(press: Press): Intent | null {
    // Read from the store: a list that has just loaded may have moved the cursor.
    const at = useBrowser.getState().cursor + folderCount;
    const fromTop = readKey(press, {
      cursor: at,
      total,
      isTiled,
      pageLines,
      below: (by) => lines.below(at, by),
    });
    return fromTop?.kind === 'go' ? { ...fromTop, to: fromTop.to - folderCount } : fromTop;
  }

  function takeIntent(intent: Intent) {
    if (intent.kind === 'go') reveal(intent.to + folderCount);
    onIntent(intent);
  }

  // A key pressed while a list loads is meant for that list, not for the rows still shown.
  useEffect(() => {
    if (isBusy || early.current === null) return;
    const press = early.current;
    early.current = null;
    const intent = intentOf(press);
    if (isPressed(listKeys.open, press)) open.row();
    else if (intent !== null) takeIntent(intent);
  });

  function openMenuAtCursor() {
    const box = document.getElementById(rowId(cursor))?.getBoundingClientRect();
    if (box) open.menu(cursor, { x: inlineStart(box) + alongLine(40), y: box.bottom });
  }

  return { onKeyDown: takeKey, onBlur: () => (early.current = null) };
}

/** Whether a key pressed inside of a row, such as on one of its buttons, is meant for the list. */
function isForList(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof HTMLElement) || target.matches('input') || rowIndex(target) === null) return false;
  if (isPressed([...listKeys.copy, ...listKeys.copyIdentifiers], event)) return true;
  return target instanceof HTMLButtonElement && isPressed(listKeys.step, event);
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}

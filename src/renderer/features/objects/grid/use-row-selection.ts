import { useClient } from '../../../app/client.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';
import { reachTo, selectInNextList, standOn, useBrowser } from '../state/browser-store.ts';
import type { Intent } from './grid-keys.ts';
import { isSelected, nothingSelected, selectIds } from '../state/selection.ts';
import { useRowRanges, type ShownRows } from './use-row-ranges.ts';

export type RowSelection = {
  press: (index: number, modifiers: { shift: boolean; ctrl: boolean }) => void;
  /** For menus: selects the row unless it is selected already. */
  aim: (index: number) => void;
  /** Moves to the next row after this one whose name begins with the text. */
  seek: (sought: { typed: string; from: number }) => void;
  apply: (intent: Exclude<Intent, { kind: 'copy' | 'copyIdentifiers' }>) => void;
};

/**
 * Turns presses and keys into a selection of folders (negative indices) and objects. Ranges with rows that are not loaded are resolved
 * by main, which stores those of objects.
 */
export function useRowSelection(rows: ShownRows): RowSelection {
  const { query, rowAt, folderAt, act } = rows;
  const client = useClient();
  const { begin, idAt, selectBetween, selectAtOnce, selectAll } = useRowRanges(rows);

  function selectOne(index: number, how: 'only' | 'toggle') {
    const row = { index, id: idAt(index) };
    standOn(index, row.id);
    selectBetween(row, row, how);
  }

  function extend(index: number, add: boolean) {
    reachTo(index, idAt(index));
    const { anchor, anchorId } = useBrowser.getState();
    const start = { index: anchor, id: anchorId ?? idAt(anchor) };
    selectBetween(start, { index, id: idAt(index) }, add ? 'add' : 'only');
  }

  return {
    press(index, { shift, ctrl }) {
      const id = idAt(index);
      if (query !== useBrowser.getState().query && id !== null) selectInNextList(id);
      else if (shift) extend(index, ctrl);
      else selectOne(index, ctrl ? 'toggle' : 'only');
    },
    aim(index) {
      const { selection, folders } = useBrowser.getState();
      const [row, folder] = [rowAt(index), folderAt(index)];
      if (row === undefined && folder === undefined) return;
      const isIn = row === undefined ? folders.has(folder?.path ?? '') : isSelected(selection, row.id);
      if (isIn) reachTo(index, row?.id ?? null);
      else selectOne(index, 'only');
    },
    seek(sought) {
      if (query === null || query !== useBrowser.getState().query) return;
      const isLatest = begin();
      void act.run(async () => {
        const { found } = await client.call('objects.findName', { query, ...sought });
        if (!isLatest() || query !== useBrowser.getState().query) return;
        if (found === null) {
          announce(objectTexts.noNameBegins({ typed: sought.typed }), 'polite', { isOnScreen: true });
          return;
        }
        if (found.id === null) return selectOne(found.index, 'only');
        standOn(found.index, found.id);
        selectAtOnce(selectIds([found.id]));
      });
    },
    apply(intent) {
      switch (intent.kind) {
        case 'go':
          if (intent.how === 'keep') standOn(intent.to, idAt(intent.to));
          else if (intent.how === 'extend') extend(intent.to, false);
          else selectOne(intent.to, 'only');
          break;
        case 'toggle':
          selectOne(useBrowser.getState().cursor, 'toggle');
          break;
        case 'all':
          selectAll();
          break;
        case 'clear':
          selectAtOnce(nothingSelected);
          break;
      }
    },
  };
}

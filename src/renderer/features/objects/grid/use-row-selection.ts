import { useRef } from 'react';
import type { ObjectRow, RowPlace } from '../../../../shared/contract.ts';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { followSelection } from '../../../app/dock.ts';
import type { Act } from '../../../app/use-act.ts';
import { announce } from '../../../ui/announce.tsx';
import { reachTo, selectInNextList, standOn, useBrowser } from '../state/browser-store.ts';
import type { Intent } from './grid-keys.ts';
import {
  addIds,
  everythingSelected,
  isSelected,
  nothingSelected,
  onlyId,
  selectIds,
  selectRange,
  toggleId,
  toWire,
  type ObjectSelection,
} from '../state/selection.ts';

type Options = {
  /** The query of the visible rows. */
  query: ObjectQuery | null;
  rowAt: (index: number) => ObjectRow | undefined;
  /** Reports a failure to load rows. */
  act: Act;
};

export type RowSelection = {
  press: (index: number, modifiers: { shift: boolean; ctrl: boolean }) => void;
  /** For menus: selects the row unless it is selected already. */
  aim: (index: number) => void;
  /** Moves to the next row after this one whose name begins with the text. */
  seek: (sought: { typed: string; from: number }) => void;
  apply: (intent: Exclude<Intent, { kind: 'copy' }>) => void;
};

/**
 * Turns presses and keys into a selection. Ranges with rows that are not loaded are resolved and stored by main; the
 * latest request wins.
 */
export function useRowSelection({ query, rowAt, act }: Options): RowSelection {
  const client = useClient();
  const ticket = useRef(0);
  const idAt = (index: number) => rowAt(index)?.id ?? null;

  /** null: some rows are not loaded, or have moved. */
  function loadedIds(from: RowPlace, to: RowPlace): number[] | null {
    const isWhere = ({ id, index }: RowPlace) => id !== null && id === idAt(index);
    if (!isWhere(from) || !isWhere(to)) return null;
    const ids: number[] = [];
    for (let index = Math.min(from.index, to.index); index <= Math.max(from.index, to.index); index++) {
      const id = idAt(index);
      if (id === null) return null;
      ids.push(id);
    }
    return ids;
  }

  function select(from: RowPlace, to: RowPlace, how: 'only' | 'add' | 'toggle') {
    const mine = ++ticket.current;
    // Rows of the previous list, still visible or being loaded, are never selected in the new one.
    const isOtherList = () => query === null || query !== useBrowser.getState().query;
    if (query === null || isOtherList()) return;
    const take = (selection: ObjectSelection) => {
      const id = how === 'toggle' ? onlyId(selection) : null;
      useBrowser.setState((now) => ({ selection: id === null ? selection : toggleId(now.selection, id) }));
      followSelection();
    };
    const { selection: before } = useBrowser.getState();
    const ids = loadedIds(from, to);
    if (ids !== null) {
      // Not through `act.run`, whose start and end would each re-render the view.
      act.clear();
      take(how === 'add' ? addIds(before, ids) : selectIds(ids));
      return;
    }
    void act.run(async () => {
      const and = how === 'add' ? toWire(before, query) : null;
      const range = await client.call('objects.selectRange', { query, from, to, and });
      if (mine === ticket.current && !isOtherList()) take(selectRange(range));
    });
  }

  function selectAtOnce(selection: ObjectSelection) {
    ticket.current++;
    useBrowser.setState({ selection });
    if (selection !== nothingSelected) followSelection();
  }

  function selectOne(index: number, how: 'only' | 'toggle') {
    if (index < 0) {
      standOn(index, null);
      // Folders are opened, not selected.
      if (how === 'only') selectAtOnce(nothingSelected);
      return;
    }
    const row = { index, id: idAt(index) };
    standOn(index, row.id);
    select(row, row, how);
  }

  function extend(index: number, add: boolean) {
    reachTo(index, idAt(index));
    const { anchor, anchorId } = useBrowser.getState();
    if (index < 0 && anchor < 0) return selectAtOnce(nothingSelected);
    const from = Math.max(0, anchor);
    const to = Math.max(0, index);
    const start = { index: from, id: anchorId ?? idAt(from) };
    select(start, { index: to, id: idAt(to) }, add ? 'add' : 'only');
  }

  return {
    press(index, { shift, ctrl }) {
      const id = idAt(index);
      if (query !== useBrowser.getState().query && id !== null) selectInNextList(id);
      else if (shift) extend(index, ctrl);
      else selectOne(index, ctrl ? 'toggle' : 'only');
    },
    aim(index) {
      const row = rowAt(index);
      if (row === undefined) return;
      if (isSelected(useBrowser.getState().selection, row.id)) reachTo(index, row.id);
      else selectOne(index, 'only');
    },
    seek(sought) {
      if (query === null || query !== useBrowser.getState().query) return;
      const mine = ++ticket.current;
      void act.run(async () => {
        const { found } = await client.call('objects.findName', { query, ...sought });
        if (mine !== ticket.current || query !== useBrowser.getState().query) return;
        if (found === null) {
          announce(objectTexts.noNameBegins({ typed: sought.typed }), 'polite', { isOnScreen: true });
          return;
        }
        standOn(found.index, found.id);
        selectAtOnce(found.id === null ? nothingSelected : selectIds([found.id]));
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
          selectAtOnce(everythingSelected);
          break;
        case 'clear':
          selectAtOnce(nothingSelected);
          break;
      }
    },
  };
}

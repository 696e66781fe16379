import { useRef } from 'react';
import type { ObjectRow } from '../../../shared/contract.ts';
import { selectionIdsMax, type ObjectQuery } from '../../../shared/domain/object.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { useClient } from '../../app/client.ts';
import { useBrowser } from './browser-store.ts';
import type { Intent } from './grid-keys.ts';
import {
  addIds,
  everythingSelected,
  isSelected,
  nothingSelected,
  selectIds,
  toggleId,
  type ObjectSelection,
} from './selection.ts';

type Options = {
  /** What the rows that are shown answer. */
  query: ObjectQuery | null;
  rowAt: (index: number) => ObjectRow | undefined;
  /** Carries a failure to the person: ids could not be had, or there are too many to name. */
  run: (work: () => Promise<void>) => Promise<boolean>;
};

const tooMany = new AppFailure({
  code: 'invalidInput',
  field: 'selection',
  problem: 'tooManyRows',
});

export type RowSelection = {
  press: (index: number, modifiers: { shift: boolean; ctrl: boolean }) => void;
  /** For a menu: a row outside the selection becomes the selection. */
  aim: (index: number) => void;
  apply: (intent: Exclude<Intent, { kind: 'copy' }>) => void;
};

/** Turns presses and keys into a selection. Rows that are not loaded are named by main; the latest wish wins. */
export function useRowSelection({ query, rowAt, run }: Options): RowSelection {
  const client = useClient();
  const ticket = useRef(0);

  async function idsBetween(from: number, to: number): Promise<number[]> {
    const loaded: number[] = [];
    for (let index = from; index <= to; index++) {
      const row = rowAt(index);
      if (row === undefined) break;
      loaded.push(row.id);
    }
    if (loaded.length === to - from + 1 || query === null) return loaded;
    if (to - from >= selectionIdsMax) throw tooMany;
    return (await client.call('objects.idsInRange', { query, from, to })).ids;
  }

  function select(
    from: number,
    to: number,
    combine: (ids: readonly number[], before: ObjectSelection) => ObjectSelection,
  ) {
    const mine = ++ticket.current;
    // Rows of the list before, still shown or still asked for, are never selected in the new one.
    const isOtherList = () => query !== useBrowser.getState().query;
    if (isOtherList()) return;
    void run(async () => {
      const ids = await idsBetween(Math.min(from, to), Math.max(from, to));
      if (mine !== ticket.current || isOtherList()) return;
      useBrowser.setState(({ selection }) => ({ selection: combine(ids, selection) }));
    });
  }

  function selectAtOnce(selection: ObjectSelection) {
    ticket.current++;
    useBrowser.setState({ selection });
  }

  function only(index: number) {
    useBrowser.setState({ cursor: index, anchor: index });
    select(index, index, selectIds);
  }

  function toggle(index: number) {
    useBrowser.setState({ cursor: index, anchor: index });
    select(index, index, ([id], before) => (id === undefined ? before : toggleId(before, id)));
  }

  function extend(index: number, add: boolean) {
    useBrowser.setState({ cursor: index });
    select(useBrowser.getState().anchor, index, (ids, before) =>
      add ? addIds(before, ids) : selectIds(ids),
    );
  }

  return {
    press(index, { shift, ctrl }) {
      if (shift) extend(index, ctrl);
      else if (ctrl) toggle(index);
      else only(index);
    },
    aim(index) {
      const row = rowAt(index);
      if (row === undefined) return;
      if (isSelected(useBrowser.getState().selection, row.id)) useBrowser.setState({ cursor: index });
      else only(index);
    },
    apply(intent) {
      switch (intent.kind) {
        case 'go':
          if (intent.how === 'keep') useBrowser.setState({ cursor: intent.to, anchor: intent.to });
          else if (intent.how === 'extend') extend(intent.to, false);
          else only(intent.to);
          break;
        case 'toggle':
          toggle(useBrowser.getState().cursor);
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

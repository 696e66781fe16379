import { useRef } from 'react';
import type { ObjectRow, RowPlace } from '../../../../shared/contract.ts';
import { pageLimitMax, type FolderRow, type ObjectQuery } from '../../../../shared/domain/object.ts';
import { useClient } from '../../../app/client.ts';
import { followSelection } from '../../../app/dock.ts';
import type { Act } from '../../../app/use-act.ts';
import { select, useBrowser } from '../state/browser-store.ts';
import {
  addIds,
  everythingSelected,
  noFolders,
  nothingSelected,
  onlyId,
  rowsToWire,
  selectIds,
  selectRange,
  toggled,
  toggleId,
  type ObjectSelection,
} from '../state/selection.ts';

export type ShownRows = {
  /** The query of the visible rows. */
  query: ObjectQuery | null;
  rowAt: (index: number) => ObjectRow | undefined;
  folderAt: (index: number) => FolderRow | undefined;
  /** Reports a failure to load rows. */
  act: Act;
};

type How = 'only' | 'add' | 'toggle';

/** Selects ranges of folders and objects, loaded or not; the latest request wins. */
export function useRowRanges({ query, rowAt, folderAt, act }: ShownRows) {
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

  /** null: some folders are not loaded. */
  function loadedPaths(first: number, last: number): string[] | null {
    const paths: string[] = [];
    for (let index = first; index <= last; index++) {
      const folder = folderAt(index);
      if (folder === undefined) return null;
      paths.push(folder.path);
    }
    return paths;
  }

  async function askForPaths(of: ObjectQuery, first: number, last: number): Promise<string[]> {
    const { folderCount } = useBrowser.getState();
    const paths: string[] = [];
    for (let at = first + folderCount; at <= last + folderCount; at += pageLimitMax) {
      const limit = Math.min(pageLimitMax, last + folderCount + 1 - at);
      const { folders } = await client.call('objects.page', { query: of, offset: at, limit });
      paths.push(...(folders?.rows ?? []).map(({ path }) => path));
    }
    return paths;
  }

  /** Rows of the previous list, still visible or being loaded, are never selected in the new one. */
  const isOtherList = () => query === null || query !== useBrowser.getState().query;

  /** Selects what is between two rows, of objects or folders. */
  function selectBetween(from: RowPlace, to: RowPlace, how: How) {
    const mine = ++ticket.current;
    if (query === null || isOtherList()) return;
    const before = useBrowser.getState();
    const last = Math.max(from.index, to.index);
    const first = Math.min(from.index, to.index);
    const below = (place: RowPlace) => (place.index < 0 ? { index: 0, id: idAt(0) } : place);
    const paths = loadedPaths(first, Math.min(last, -1));
    const ids = last < 0 ? [] : loadedIds(below(from), below(to));

    function take(rows: ObjectSelection, inside: readonly string[]) {
      const now = useBrowser.getState();
      if (how === 'toggle') {
        const id = onlyId(rows);
        const [path] = inside;
        select(
          id === null ? now.selection : toggleId(now.selection, id),
          path === undefined ? now.folders : toggled(now.folders, path),
        );
      } else select(rows, new Set(how === 'add' ? [...before.folders, ...inside] : inside));
      followSelection();
    }
    const loaded = ids && (how === 'add' ? addIds(before.selection, ids) : selectIds(ids));
    if (loaded !== null && paths !== null) {
      // Not through `act.run`, whose start and end would each re-render the view.
      act.clear();
      take(loaded, paths);
      return;
    }
    void act.run(async () => {
      const inside = paths ?? (await askForPaths(query, first, Math.min(last, -1)));
      const and = how === 'add' ? rowsToWire(before.selection, query) : null;
      const rows =
        loaded ??
        selectRange(
          await client.call('objects.selectRange', { query, from: below(from), to: below(to), and }),
        );
      if (mine === ticket.current && !isOtherList()) take(rows, inside);
    });
  }

  function selectAtOnce(selection: ObjectSelection, folders = noFolders) {
    ticket.current++;
    select(selection, folders);
    if (selection !== nothingSelected || folders !== noFolders) followSelection();
  }

  /** All objects, and the folders that are there now. */
  function selectAll() {
    const { folderCount } = useBrowser.getState();
    if (query === null || isOtherList() || folderCount === 0) return selectAtOnce(everythingSelected);
    const loaded = loadedPaths(-folderCount, -1);
    if (loaded !== null) return selectAtOnce(everythingSelected, new Set(loaded));
    const mine = ++ticket.current;
    void act.run(async () => {
      const paths = await askForPaths(query, -folderCount, -1);
      if (mine === ticket.current && !isOtherList()) selectAtOnce(everythingSelected, new Set(paths));
    });
  }

  /** Begins a request. @returns whether it is still the latest */
  function begin(): () => boolean {
    const mine = ++ticket.current;
    return () => mine === ticket.current;
  }

  return { begin, idAt, selectBetween, selectAtOnce, selectAll };
}

import { create } from 'zustand';
import type { ObjectKind, ObjectQuery, Place } from '../../../../shared/domain/object.ts';
import { showPlace } from '../../../app/place.ts';
import { noFolders, nothingSelected, type ObjectSelection } from './selection.ts';

/** The selection in the list; details, toolbar and palette read it too. */
export type BrowserState = {
  /** What the list shows or is loading; null: no service. */
  query: ObjectQuery | null;
  /** Number of rows in the list. */
  total: number;
  selection: ObjectSelection;
  /** Paths of the selected folders, with everything in them. */
  folders: ReadonlySet<string>;
  /** Number of objects that an action on the selection means. */
  objectCount: number;
  /** Number of folders above the objects. */
  folderCount: number;
  /** Current indices of the focused row, and of the row where a Shift selection starts. Folders have negative ones. */
  cursor: number;
  anchor: number;
  /** Ids of those rows; null: not loaded yet, or none. */
  cursorId: number | null;
  anchorId: number | null;
  /** Whether to follow the focused row when rows are added or removed above it. */
  isHeld: boolean;
  /** An object to find in the list. */
  soughtId: number | null;
  /** A folder to find above the objects, by its path. */
  soughtFolder: string | null;
  /** Whether to select it, too. */
  isFolderSelected: boolean;
  /** What is being renamed in its row: an object by its id, or a folder by its path. */
  renaming: number | string | null;
  /** Whether the selected object is shown large, over the window. */
  isLooking: boolean;
  /** Whether *Open* only shows the selected object in its folder. */
  isOnlyShown: boolean;
  /** What to do with the object `soughtId`. `select` focuses and selects it; `show` also opens Details. */
  soughtFor: 'select' | 'show';
};

const atTop = { folderCount: 0, cursor: 0, anchor: 0, cursorId: null, anchorId: null, isHeld: false };

export const useBrowser = create<BrowserState>()(() => ({
  query: null,
  total: 0,
  selection: nothingSelected,
  folders: noFolders,
  objectCount: 0,
  ...atTop,
  soughtId: null,
  soughtFolder: null,
  isFolderSelected: false,
  soughtFor: 'show',
  renaming: null,
  isLooking: false,
  isOnlyShown: false,
}));

/** Selects these objects and folders instead of the others. */
export function select(selection: ObjectSelection, folders: ReadonlySet<string> = noFolders): void {
  useBrowser.setState({ selection, folders });
}

/** Focuses a row and starts Shift selections there. */
export function standOn(index: number, id: number | null): void {
  useBrowser.setState({
    cursor: index,
    cursorId: id,
    anchor: index,
    anchorId: id,
    isHeld: true,
  });
}

/** Focuses a row; Shift selections still start where they did. */
export function reachTo(index: number, id: number | null): void {
  useBrowser.setState({ cursor: index, cursorId: id, isHeld: true });
}

/**
 * When the number of folders changes, keeps the focus on the first row or on the folder with the same position from the top. Does the
 * same for the start of Shift selections.
 */
export function showFolderCount(folderCount: number): void {
  useBrowser.setState((before) => {
    if (folderCount === before.folderCount) return before;
    const shifted = (index: number, id: number | null) => {
      const fromTop = index + before.folderCount;
      const isAbove = index < 0 || (fromTop === 0 && id === null);
      return isAbove ? { index: Math.min(fromTop - folderCount, 0), id: null } : { index, id };
    };
    const { index: cursor, id: cursorId } = shifted(before.cursor, before.cursorId);
    const { index: anchor, id: anchorId } = shifted(before.anchor, before.anchorId);
    return { folderCount, cursor, cursorId, anchor, anchorId };
  });
}

/** Changes the list and clears the selection; a change of sort order alone keeps it. */
export function showQuery(query: ObjectQuery | null): void {
  useBrowser.setState((before) => {
    const isSameList =
      query !== null &&
      before.query !== null &&
      JSON.stringify({ ...before.query, sort: query.sort }) === JSON.stringify(query);
    const start = { query, ...atTop, renaming: null };
    return isSameList ? start : { ...start, selection: nothingSelected, folders: noFolders };
  });
}

/** Shows all objects, or all secrets, or another place, and selects this one. */
export function seekObject(id: number, kind: ObjectKind, place: Place = { kind: 'all' }): void {
  showPlace(place, kind);
  useBrowser.setState({ soughtId: id, soughtFor: 'show' });
}

/** Focuses this folder in the next list, if it contains it. */
export function returnToFolder(path: string): void {
  useBrowser.setState({ soughtFolder: path, isFolderSelected: false });
}

/** Focuses and selects this folder in the next list, once it contains it. */
export function selectFolder(path: string): void {
  useBrowser.setState({ soughtFolder: path, isFolderSelected: true });
}

/** Selects this row in the next list, if it contains it. For a press on a row of the old list while the next one loads. */
export function selectInNextList(id: number): void {
  useBrowser.setState({ soughtId: id, soughtFor: 'select' });
}

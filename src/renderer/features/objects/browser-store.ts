import { create } from 'zustand';
import type { ObjectKind, ObjectQuery } from '../../../shared/domain/object.ts';
import { showPlace } from '../../app/place.ts';
import { nothingSelected, type ObjectSelection } from './selection/selection.ts';

/** What is chosen in the browser. The details, the toolbar and the palette read it too. */
export type BrowserState = {
  /** What the list shows or is about to; null without a service. */
  query: ObjectQuery | null;
  /** How many rows the list has. */
  total: number;
  selection: ObjectSelection;
  /** The row the keyboard stands on, and the one a selection with Shift starts from: where they stand now. */
  cursor: number;
  anchor: number;
  /** Those rows themselves; null: not loaded yet, or nobody has stood on one. */
  cursorId: number | null;
  anchorId: number | null;
  /** A person stands on the row: it is followed when rows arrive or leave above. */
  isHeld: boolean;
  /** An object to be found in the list. */
  soughtId: number | null;
  /** It is selected and its details are opened; else the keyboard goes to it alone. */
  isSoughtShown: boolean;
};

const atTop = { cursor: 0, anchor: 0, cursorId: null, anchorId: null, isHeld: false };

export const useBrowser = create<BrowserState>()(() => ({
  query: null,
  total: 0,
  selection: nothingSelected,
  ...atTop,
  soughtId: null,
  isSoughtShown: true,
}));

/** The keyboard goes to a row, and a selection with Shift starts there. */
export function standOn(index: number, id: number | null): void {
  useBrowser.setState({
    cursor: index,
    cursorId: id,
    anchor: index,
    anchorId: id,
    isHeld: true,
  });
}

/** The keyboard goes to a row; a selection with Shift goes on from where it started. */
export function reachTo(index: number, id: number | null): void {
  useBrowser.setState({ cursor: index, cursorId: id, isHeld: true });
}

/** Another list: what was chosen in the one before is let go. Another order of the same keeps it. */
export function showQuery(query: ObjectQuery | null): void {
  useBrowser.setState((before) => {
    const isSameList =
      query !== null &&
      before.query !== null &&
      JSON.stringify({ ...before.query, sort: query.sort }) === JSON.stringify(query);
    const start = { query, ...atTop };
    return isSameList ? start : { ...start, selection: nothingSelected };
  });
}

/** Goes to all objects, or all secrets, and selects this one there. */
export function seekObject(id: number, kind: ObjectKind): void {
  showPlace({ kind: 'all' }, kind);
  useBrowser.setState({ soughtId: id, isSoughtShown: true });
}

/** The list that comes next is stood in on this row, where it has it. */
export function returnToRow(id: number): void {
  useBrowser.setState({ soughtId: id, isSoughtShown: false });
}

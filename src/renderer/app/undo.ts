import { useEffect } from 'react';
import { create } from 'zustand';
import type { Undoable } from '../../shared/contract.ts';
import { commonTexts } from '../i18n/common-texts.ts';
import { announce } from '../ui/announce.tsx';
import { useClient } from './client.ts';
import { useCommand } from './commands.ts';
import { sayFailure } from './say-failure.ts';

/** Something that was done in this window and can be undone. */
export type Undo = {
  of: Undoable;
  /** For `dropUndo`. */
  key: string;
  /** The transfers that it undoes, for `undoOffered`. */
  transferIds?: readonly number[];
  /** It is not done yet, so its message has no tick. */
  hasBegun?: true;
  /** Asks main for the opposite. */
  run: () => Promise<unknown>;
};

type Entry = Undo & { takeBack: () => void };

/** How many of the last actions can be undone. */
const most = 10;

/** The newest first. */
export const useUndo = create<{ entries: readonly Entry[] }>()(() => ({ entries: [] }));

/** Says what was done, with a button that undoes it. */
export function offerUndo(text: string, undo: Undo): void {
  const act = undoAct(undo);
  const takeBack = announce(text, 'polite', { act, hasBegun: undo.hasBegun === true });
  useUndo.setState(({ entries }) => ({
    entries: entries.map((entry) => (entry.key === undo.key ? { ...entry, takeBack } : entry)),
  }));
}

/** As `offerUndo`, for a message that is said elsewhere: its button. */
export function undoAct(undo: Undo): { label: string; run: () => void } {
  const entry = { ...undo, takeBack: () => undefined };
  // What was offered while it was under way is offered again, now that it is done.
  dropUndo(undo.key);
  useUndo.setState(({ entries }) => ({ entries: [entry, ...entries].slice(0, most) }));
  return { label: commonTexts.undo, run: () => runUndo(undo.key) };
}

/** The button of an undo that is offered for these transfers already; null: none is. */
export function undoOffered(ids: readonly number[]): ReturnType<typeof undoAct> | null {
  const { entries } = useUndo.getState();
  const offered = entries.find(({ transferIds = [] }) => ids.every((id) => transferIds.includes(id)));
  return offered ? { label: commonTexts.undo, run: () => runUndo(offered.key) } : null;
}

/** It can no longer be undone: its message goes too. */
export function dropUndo(key: string): void {
  const { entries } = useUndo.getState();
  const dropped = entries.find((entry) => entry.key === key);
  if (dropped === undefined) return;
  dropped.takeBack();
  useUndo.setState({ entries: entries.filter((entry) => entry !== dropped) });
}

function runUndo(key: string | undefined): void {
  const found = useUndo.getState().entries.find((entry) => entry.key === key);
  if (found === undefined) return;
  dropUndo(found.key);
  const undone = last.then(found.run);
  last = undone.catch(() => undefined);
  sayFailure(undone);
}

/** One after the other: an older one relies on what a newer one has put back. */
let last: Promise<unknown> = Promise.resolve();

/** Undoes the last action by its shortcut and the menu, which names all of them. */
export function useUndoCommand(): void {
  const client = useClient();
  const entries = useUndo((undo) => undo.entries);
  useCommand('undo', () => runUndo(useUndo.getState().entries[0]?.key), entries.length > 0);
  useEffect(
    () => sayFailure(client.call('app.nameUndos', { names: entries.map((entry) => entry.of) })),
    [client, entries],
  );
}

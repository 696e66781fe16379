import { create } from 'zustand';

/**
 * What the list does for uploads of this window. The object of one file into an empty list is selected, so that Details shows what is
 * stored; of several, the dock shows the progress. What goes into an open folder is selected there.
 * `isListEmpty`: the open list has no rows, and is not a search. `isAwaited`: select its first row as soon as it has one.
 * `uploaded`: what was uploaded last, until it is selected or the person has gone on.
 */
export const useFirstUpload = create<{
  isListEmpty: boolean;
  isAwaited: boolean;
  uploaded: { serviceId: string; identifiers: readonly string[] } | null;
}>()(() => ({
  isListEmpty: false,
  isAwaited: false,
  uploaded: null,
}));

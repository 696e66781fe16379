import { create } from 'zustand';

/**
 * The upload of one file into an empty list: its object is selected, so that Details shows what is stored. Of several, the dock
 * shows the progress.
 * `isListEmpty`: the open list has no rows, and is not a search. `isAwaited`: select its first row as soon as it has one.
 */
export const useFirstUpload = create<{ isListEmpty: boolean; isAwaited: boolean }>()(() => ({
  isListEmpty: false,
  isAwaited: false,
}));

import { create } from 'zustand';

/** The folder under what is dragged, '' for the top; null: none, so files go to the current folder. */
export const useDropFolder = create<{ folder: string | null }>()(() => ({ folder: null }));

/** Whether what is dragged would be dropped into this folder. */
export function useIsOver(path: string | undefined): boolean {
  return useDropFolder(({ folder }) => folder !== null && folder === path);
}

/** The folder of the link or button that an event came from. */
export function folderUnder({ target }: Event): string | undefined {
  return target instanceof Element
    ? target.closest<HTMLElement>('[data-folder]')?.dataset['folder']
    : undefined;
}

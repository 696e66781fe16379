import { create } from 'zustand';

/** The folder under a drag, '' for the top; null: none, so files go to the current folder. */
export const useDropFolder = create<{ folder: string | null }>()(() => ({ folder: null }));

/** Whether a drag is over this folder. */
export function useIsOver(path: string | undefined): boolean {
  return useDropFolder(({ folder }) => folder !== null && folder === path);
}

/** The folder of the link or button that an event came from. */
export function folderUnder({ target }: Event): string | undefined {
  return target instanceof Element ? folderOfElement(target) : undefined;
}

/** The folder of the link or button at a point of the window; null: there is none. */
export function folderAt({ x, y }: { x: number; y: number }): string | null {
  const element = document.elementFromPoint(x, y);
  return (element && folderOfElement(element)) ?? null;
}

function folderOfElement(element: Element): string | undefined {
  return element.closest<HTMLElement>('[data-folder]')?.dataset['folder'];
}

import { create } from 'zustand';

/** The sidebar folder under dragged files; null: none, so files go to the current folder. */
export const useDropFolder = create<{ folder: string | null }>()(() => ({ folder: null }));

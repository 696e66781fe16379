import { create } from 'zustand';

/** The folder at the left that files hover over; null: none, they go where the window is. */
export const useDropFolder = create<{ folder: string | null }>()(() => ({ folder: null }));

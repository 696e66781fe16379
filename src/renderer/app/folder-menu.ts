import { createContext } from 'react';

export type Point = { x: number; y: number };

/** Opens the menu of a folder at a point of the window; `from` gets the focus afterwards. */
export const OpenFolderMenu = createContext<(path: string, at: Point, from: HTMLElement) => void>(
  () => undefined,
);

/** Opens the dialog that moves a folder to another path. */
export const MoveFolder = createContext<(path: string) => void>(() => undefined);

/** The folder whose menu is open; null: none. */
export const FolderOfMenu = createContext<string | null>(null);

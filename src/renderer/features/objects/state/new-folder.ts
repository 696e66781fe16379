import { create } from 'zustand';

/** The folder in which one is being created, '' for the top; null: the dialog is closed. */
export const useNewFolder = create<{ into: string | null }>()(() => ({ into: null }));

/** Asks for the name of a folder to create in this one. */
export function askForFolder(into: string): void {
  useNewFolder.setState({ into });
}

import type { Command } from './contract.ts';

/**
 * All keyboard shortcuts in one table: listeners, menu accelerators and the page of shortcuts use it. A chord is a
 * key with its modifiers, such as `Mod+Shift+U`: `Mod` is Ctrl, on a Mac Cmd. Keys are values of KeyboardEvent.key,
 * letters in upper case.
 */
export type Chords = readonly [string, ...string[]];

/**
 * Work anywhere; those that type a character only outside of text fields. The first chord is shown beside the command.
 */
export const commandKeys = {
  palette: ['Mod+K'],
  undo: ['Mod+Z'],
  search: ['/', 'Mod+F'],
  upload: ['Mod+U'],
  uploadFolder: ['Mod+Shift+U'],
  newFolder: ['Mod+Shift+N'],
  edit: ['Mod+E'],
  move: ['F2'],
  download: ['Mod+D'],
  check: ['F5'],
  'dock.details': ['Mod+1'],
  'dock.transfers': ['Mod+2'],
  'dock.jobs': ['Mod+3'],
  up: ['Alt+ArrowUp', 'Backspace'],
  /** The arrow towards the start of the line: the other one in right-to-left languages. */
  back: ['Alt+ArrowLeft'],
  forward: ['Alt+ArrowRight'],
  settings: ['Mod+,'],
  shortcuts: ['?'],
} as const satisfies Partial<Record<Command, Chords>>;

/** In a list of objects or secrets. */
export const listKeys = {
  /** For what cannot be opened: shows details. */
  open: ['Enter'],
  details: ['Alt+Enter'],
  step: ['ArrowUp', 'ArrowDown'],
  extend: ['Shift+ArrowUp', 'Shift+ArrowDown'],
  keep: ['Mod+ArrowUp', 'Mod+ArrowDown'],
  ends: ['Home', 'End'],
  page: ['PageUp', 'PageDown'],
  /** The arrow towards the start of the line: the other one in right-to-left languages. */
  parent: ['ArrowLeft'],
  look: [' '],
  toggle: ['Mod+ '],
  all: ['Mod+A'],
  clear: ['Escape'],
  /** Of a secret its value. */
  copy: ['Mod+C'],
  copyIdentifiers: ['Mod+Shift+C'],
  menu: ['Shift+F10', 'ContextMenu'],
  delete: ['Delete'],
  deleteNow: ['Shift+Delete'],
} as const satisfies Record<string, Chords>;

/** Move between the parts of the window; react-aria's landmarks handle them (renderer/ui/part.ts). */
export const partKeys = { next: ['F6'], previous: ['Shift+F6'] } as const satisfies Record<string, Chords>;

/** Confirms in sheets and multi-line fields, where Enter has another meaning. */
export const doneKeys: Chords = ['Mod+Enter'];

/** The relevant fields of a KeyboardEvent. */
export type Press = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean };

/**
 * Whether a key press matches one of the chords. Shift only matters if the chord names it, Mod or Alt: many keyboards
 * need it for `/`.
 * @param withMod whether the platform's Mod key is held
 */
export function isPressed(
  chords: Chords,
  press: Press,
  withMod: boolean = press.ctrlKey || press.metaKey,
): boolean {
  const pressed = press.key.length === 1 ? press.key.toUpperCase() : press.key;
  return chords.some((chord) => {
    const held = chord.split('+');
    const key = held.pop();
    if (key !== pressed || held.includes('Mod') !== withMod || held.includes('Alt') !== press.altKey)
      return false;
    return held.length === 0 || held.includes('Shift') === press.shiftKey;
  });
}

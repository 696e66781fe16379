import type { Command } from './contract.ts';

/**
 * Every key that Coffer answers to, in one table: what listens asks it, the menu takes its accelerators from it, and the
 * page of shortcuts shows it.
 *
 * A chord is a key with what is held down, as `Mod+Shift+U`: `Mod` is Ctrl, on a Mac Cmd. The key is what KeyboardEvent.key
 * says, letters as capitals.
 */
export type Chords = readonly [string, ...string[]];

/** Wherever the keyboard stands; characters only where nobody types. The first one is shown beside a command. */
export const commandKeys = {
  palette: ['Mod+K'],
  search: ['/', 'Mod+F'],
  upload: ['Mod+U'],
  uploadFolder: ['Mod+Shift+U'],
  edit: ['F2'],
  download: ['Mod+D'],
  check: ['F5'],
  'dock.details': ['Mod+1'],
  'dock.transfers': ['Mod+2'],
  'dock.jobs': ['Mod+3'],
  settings: ['Mod+,'],
  shortcuts: ['?'],
} as const satisfies Partial<Record<Command, Chords>>;

/** In a list of objects or secrets. */
export const listKeys = {
  /** Of what cannot be opened: its details. */
  open: ['Enter'],
  details: ['Alt+Enter'],
  step: ['ArrowUp', 'ArrowDown'],
  extend: ['Shift+ArrowUp', 'Shift+ArrowDown'],
  keep: ['Mod+ArrowUp', 'Mod+ArrowDown'],
  ends: ['Home', 'End'],
  page: ['PageUp', 'PageDown'],
  /** The arrow towards the beginning of the line: where one reads from the right, the other one. */
  parent: ['ArrowLeft'],
  toggle: [' ', 'Mod+ '],
  all: ['Mod+A'],
  clear: ['Escape'],
  copy: ['Mod+C'],
  menu: ['Shift+F10', 'ContextMenu'],
  delete: ['Delete'],
} as const satisfies Record<string, Chords>;

/** Between the parts of the window; the landmarks of react-aria listen to them (renderer/ui/part.ts). */
export const partKeys = { next: ['F6'], previous: ['Shift+F6'] } as const satisfies Record<string, Chords>;

/** In a sheet or a field of many lines, where Enter means something else: it is done. */
export const doneKeys: Chords = ['Mod+Enter'];

/** Of a KeyboardEvent. */
export type Press = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; shiftKey: boolean };

/**
 * Whether a press is one of the chords. Shift is looked at where a chord names it, Mod or Alt: `/` needs it on many keyboards.
 * @param withMod what counts as Mod is held
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

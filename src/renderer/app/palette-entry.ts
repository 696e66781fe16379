import type { IconName } from '../ui/icons.tsx';
import { runCommand, type Command } from './commands.ts';
import { keysOf } from './key-bindings.ts';
import { showSettings } from './place.ts';

export type PaletteEntry = {
  id: string;
  label: string;
  icon: IconName;
  /** Additional search words, separated by spaces. */
  words?: string | undefined;
  /** Shown after the label and searched too: the section of a setting. */
  place?: string;
  keys?: string | undefined;
  /** Shown at the end: the value of a setting. */
  value?: string;
  run: () => void;
};

export function paletteCommand(id: Command, label: string, icon: IconName, words?: string): PaletteEntry {
  return { id, label, icon, words, keys: keysOf(id), run: () => void runCommand(id) };
}

/** Opens Settings at a setting. @param place its section */
export function paletteSetting(place: string, name: string, value: string, words?: string): PaletteEntry {
  return {
    id: `setting-${name}`,
    label: name,
    place,
    value,
    words,
    icon: 'settings',
    run: () => showSettings(name),
  };
}

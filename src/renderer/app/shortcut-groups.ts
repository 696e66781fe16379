import { commandKeys, doneKeys, listKeys, partKeys, type Chords } from '../../shared/keys.ts';
import { shortcutTexts as texts } from '../i18n/shortcut-texts.ts';

export type ShortcutGroup = { name: string; shortcuts: { does: string; chords: Chords }[] };

export function shortcutGroups(): ShortcutGroup[] {
  const group = (name: string, ...shortcuts: (readonly [string, Chords])[]): ShortcutGroup => ({
    name,
    shortcuts: shortcuts.map(([does, chords]) => ({ does, chords })),
  });
  return [
    group(
      texts.window,
      [texts.palette, commandKeys.palette],
      [texts.search, commandKeys.search],
      [texts.settings, commandKeys.settings],
      [texts.next, partKeys.next],
      [texts.previous, partKeys.previous],
      [texts.details, commandKeys['dock.details']],
      [texts.transfers, commandKeys['dock.transfers']],
      [texts.jobs, commandKeys['dock.jobs']],
      [texts.shortcuts, commandKeys.shortcuts],
    ),
    group(
      texts.files,
      [texts.upload, commandKeys.upload],
      [texts.uploadFolder, commandKeys.uploadFolder],
      [texts.done, doneKeys],
      [texts.edit, commandKeys.edit],
      [texts.move, commandKeys.move],
      [texts.download, commandKeys.download],
      [texts.check, commandKeys.check],
    ),
    group(
      texts.list,
      [texts.open, listKeys.open],
      [texts.rowDetails, listKeys.details],
      [texts.step, listKeys.step],
      [texts.ends, listKeys.ends],
      [texts.page, listKeys.page],
      [texts.parent, listKeys.parent],
      [texts.extend, listKeys.extend],
      [texts.keep, listKeys.keep],
      [texts.look, listKeys.look],
      [texts.toggle, listKeys.toggle],
      [texts.all, listKeys.all],
      [texts.clear, listKeys.clear],
      [texts.copy, listKeys.copy],
      [texts.menu, listKeys.menu],
      [texts.delete, listKeys.delete],
    ),
  ];
}

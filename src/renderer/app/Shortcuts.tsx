import { Fragment, useState } from 'react';
import { type Chords, commandKeys, doneKeys, listKeys, partKeys } from '../../shared/keys.ts';
import { shortcutTexts as texts } from '../i18n/keyboard-texts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { focusHere } from '../ui/focus.ts';
import { KeyHint } from '../ui/KeyHint.tsx';
import { useCommand } from './commands.ts';
import { shownChord } from './key-bindings.ts';
import { DialogPane } from './Pane.tsx';
import './shortcuts.css';
import { commonTexts } from '../i18n/common-texts.ts';
import { folderTexts } from '../i18n/folder-texts.ts';
import { objectTexts } from '../i18n/object-texts.ts';

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
      [texts.undo, commandKeys.undo],
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
      [folderTexts.new, commandKeys.newFolder],
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
      [texts.parent, [...commandKeys.up, ...listKeys.parent]],
      [texts.back, commandKeys.back],
      [texts.forward, commandKeys.forward],
      [texts.extend, listKeys.extend],
      [texts.keep, listKeys.keep],
      [texts.look, listKeys.look],
      [texts.toggle, listKeys.toggle],
      [objectTexts.act.selectAll, listKeys.all],
      [texts.clear, listKeys.clear],
      [texts.copy, listKeys.copy],
      [texts.copyIdentifiers, listKeys.copyIdentifiers],
      [texts.menu, listKeys.menu],
      [texts.delete, listKeys.delete],
      [texts.deleteNow, listKeys.deleteNow],
    ),
  ];
}

/** All keyboard shortcuts; opened by `?`, the palette and the menu. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  useCommand('shortcuts', () => setOpen(true));
  const close = () => setOpen(false);
  return (
    <DialogPane onClose={close}>
      <Dialog
        isOpen={isOpen}
        onClose={close}
        title={texts.title}
        size="wide"
        buttons={
          <Button kind="primary" size="large" onPress={close}>
            {commonTexts.close}
          </Button>
        }
      >
        <Groups />
      </Dialog>
    </DialogPane>
  );
}

const group = { role: 'group', tabIndex: 0 } as const;

/** Focusable, so that the arrow keys scroll it in a small window. */
function Groups() {
  return (
    <div className="shortcuts" {...group} aria-label={texts.title} {...focusHere}>
      {shortcutGroups().map(({ name, shortcuts }) => (
        <section key={name} className="shortcuts__group">
          <h3 className="shortcuts__head">{name}</h3>
          <dl>
            {shortcuts.map(({ does, chords }) => (
              <div key={does} className="shortcuts__line">
                <dt>{does}</dt>
                <dd>
                  {chords.map((chord, at) => (
                    <Fragment key={chord}>
                      {at > 0 && <span className="shortcuts__or">{texts.or}</span>}
                      <KeyHint keys={shownChord(chord)} />
                      <span className="visually-hidden">{shownChord(chord)}</span>
                    </Fragment>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

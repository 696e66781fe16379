import { Fragment, useState } from 'react';
import { shortcutTexts as texts } from '../i18n/shortcut-texts.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { focusHere } from '../ui/focus.ts';
import { KeyHint } from '../ui/KeyHint.tsx';
import { useCommand } from './commands.ts';
import { shownChord } from './key-bindings.ts';
import { DialogPane } from './Pane.tsx';
import { shortcutGroups } from './shortcut-groups.ts';
import './shortcuts.css';

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
            {texts.close}
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

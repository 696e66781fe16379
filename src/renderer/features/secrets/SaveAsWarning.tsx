import { commonTexts } from '../../i18n/common-texts.ts';
import { fill } from '../../i18n/rich.tsx';
import { secretTexts } from '../../i18n/secret-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';

/** The focus is on the answer that changes nothing. */
const focusHere = { autoFocus: true };

type Props = { identifier: string; onSave: () => void; onClose: () => void };

/** Shown before a value is saved where Coffer cannot protect it. */
export function SaveAsWarning({ identifier, onSave, onClose }: Props) {
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={secretTexts.save.title}
      buttons={
        <>
          <Button {...focusHere} size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button kind="primary" size="large" onPress={onSave}>
            {commonTexts.saveAs}
          </Button>
        </>
      }
    >
      <p>
        {fill(secretTexts.save.text, {
          identifier: (
            <b>
              <bdi dir="ltr">{identifier}</bdi>
            </b>
          ),
        })}
      </p>
    </AlertDialog>
  );
}

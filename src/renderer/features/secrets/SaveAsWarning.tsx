import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';

/** The keyboard stands on what changes nothing. */
const focusHere = { autoFocus: true };

type Props = { identifier: string; onSave: () => void; onClose: () => void };

/** Before a value leaves what Coffer can answer for. */
export function SaveAsWarning({ identifier, onSave, onClose }: Props) {
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title="Save the value as a file?"
      buttons={
        <>
          <Button {...focusHere} size="large" onPress={onClose}>
            Cancel
          </Button>
          <Button kind="primary" size="large" onPress={onSave}>
            Save as…
          </Button>
        </>
      }
    >
      <p>
        The value of <b>{identifier}</b> will lie on the disk <b>unprotected</b>. Who can read your files can
        read it, and copies and backups may keep it after you delete the file.
      </p>
    </AlertDialog>
  );
}

import type { ReactNode } from 'react';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus-here.ts';

/** Asks before a permanent removal. Closes when it is done, and stays open with the reason if it failed. */
export function ConfirmRemoval({
  title,
  button,
  remove,
  onClose,
  children,
}: {
  title: string;
  /** Label of the button that removes. */
  button: string;
  remove: () => Promise<unknown>;
  onClose: () => void;
  /** Paragraphs: what is removed, and the consequences. */
  children: ReactNode;
}) {
  const act = useAct();
  const press = () =>
    void act.run(async () => {
      await remove();
      onClose();
    });
  return (
    <DialogPane onClose={onClose}>
      <AlertDialog
        isOpen
        onClose={onClose}
        title={title}
        buttons={
          <>
            <Button {...focusHere} size="large" onPress={onClose}>
              {commonTexts.cancel}
            </Button>
            <Button kind="fatal" size="large" isDisabled={act.isRunning} onPress={press}>
              {button}
            </Button>
          </>
        }
      >
        <div className="paragraphs">{children}</div>
        {act.error !== null && <ErrorNote {...errorText(act.error)} />}
      </AlertDialog>
    </DialogPane>
  );
}

import type { ReactNode } from 'react';
import { errorText } from '../../shared/i18n/error-text.ts';
import { commonTexts } from '../i18n/common-texts.ts';
import { Button } from '../ui/Button.tsx';
import { AlertDialog } from '../ui/Dialog.tsx';
import { ErrorNote } from '../ui/ErrorNote.tsx';
import { focusHere } from '../ui/focus.ts';
import { DialogPane } from './Pane.tsx';
import { useAct, type Act } from './use-act.ts';

type Props = {
  title: string;
  button: string;
  /** Of the button that leaves everything as it is, where Cancel would be ambiguous. */
  leave?: string;
  /** fatal: cannot be undone. */
  kind?: 'fatal' | 'primary';
  run: () => Promise<unknown>;
  onClose: () => void;
  /** For a dialog that also runs another action. */
  act?: Act;
  children: ReactNode;
};

/** A question with one answer besides leaving it, which has the focus. Closes when the action is done; if it fails, shows why. */
export function ConfirmDialog({
  title,
  button,
  leave = commonTexts.cancel,
  kind = 'fatal',
  run,
  onClose,
  act,
  children,
}: Props) {
  const own = useAct();
  const acting = act ?? own;
  const { isRunning, error } = acting;
  const press = () =>
    void acting.run(async () => {
      await run();
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
            {/* Takes the focus again when the other button has come to do more, as “Remove anyway”: a second Enter must not. */}
            <Button key={button} {...focusHere} size="large" onPress={onClose}>
              {leave}
            </Button>
            <Button kind={kind} size="large" isPending={isRunning} onPress={press}>
              {button}
            </Button>
          </>
        }
      >
        {children}
        {error !== null && <ErrorNote {...errorText(error)} />}
      </AlertDialog>
    </DialogPane>
  );
}

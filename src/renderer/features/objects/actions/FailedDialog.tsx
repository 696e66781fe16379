import { commonTexts } from '../../../i18n/common-texts.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { errorLine } from '../../../../shared/i18n/error-text.ts';
import { Button } from '../../../ui/Button.tsx';
import { AlertDialog } from '../../../ui/Dialog.tsx';
import { focusHere } from '../../../ui/focus.ts';
import { ServicePlace } from '../../../app/ServicePlace.tsx';

type Props = { title: string; serviceName: string; error: AppError; onClose: () => void };

/** Shown instead of a dialog whose objects could not be looked up. */
export function FailedDialog({ title, serviceName, error, onClose }: Props) {
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={title}
      place={<ServicePlace name={serviceName} />}
      buttons={
        <Button {...focusHere} size="large" onPress={onClose}>
          {commonTexts.cancel}
        </Button>
      }
    >
      <DialogError error={error} />
    </AlertDialog>
  );
}

export function DialogError({ error }: { error: AppError }) {
  return <p className="sheet__error">{errorLine(error)}</p>;
}

import type { WatchedFolder } from '../../../shared/domain/watch.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { useClient } from '../../app/client.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { useAct } from '../../app/use-act.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { watchTexts } from '../../i18n/watch-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { ErrorNote } from '../../ui/ErrorNote.tsx';
import { focusHere } from '../../ui/focus-here.ts';

const texts = watchTexts.remove;

/** Ends the watching alone: no file and no object goes. */
export function StopWatching({ folder, onClose }: { folder: WatchedFolder; onClose: () => void }) {
  const client = useClient();
  const act = useAct();
  const { id, name } = folder;
  const stop = () =>
    void act.run(async () => {
      await client.call('watch.remove', { id });
      announce(texts.done({ name }), 'polite', { isOnScreen: true });
      onClose();
    });
  return (
    <DialogPane onClose={onClose}>
      <AlertDialog
        isOpen
        onClose={onClose}
        title={texts.title({ name })}
        buttons={
          <>
            <Button {...focusHere} size="large" onPress={onClose}>
              {commonTexts.cancel}
            </Button>
            <Button kind="primary" size="large" isDisabled={act.isRunning} onPress={stop}>
              {texts.button}
            </Button>
          </>
        }
      >
        <p>{texts.text}</p>
        <p>{texts.forgets}</p>
        {act.error !== null && <ErrorNote {...errorText(act.error)} />}
      </AlertDialog>
    </DialogPane>
  );
}

import type { WatchedFolder } from '../../../shared/domain/watch.ts';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { watchTexts } from '../../i18n/watch-texts.ts';
import { announce } from '../../ui/announce.tsx';

const texts = watchTexts.remove;

/** Stops watching; no file or object is deleted. */
export function StopWatching({ folder, onClose }: { folder: WatchedFolder; onClose: () => void }) {
  const client = useClient();
  const { id, name } = folder;
  async function stop() {
    await client.call('watch.remove', { id });
    announce(texts.done({ name }), 'polite', { isOnScreen: true });
  }
  return (
    <ConfirmDialog
      title={texts.title({ name })}
      button={texts.button}
      kind="primary"
      run={stop}
      onClose={onClose}
    >
      <p>{texts.text}</p>
      <p>{texts.forgets}</p>
    </ConfirmDialog>
  );
}

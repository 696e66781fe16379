import type { WatchedFolder } from '../../../shared/domain/watch.ts';
import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { watchTexts } from './watch-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { useCommand } from '../../app/commands.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { WatchDialog } from './WatchDialog.tsx';
import { closeWatchDialog, openWatchDialog, useWatchStore } from './watch-store.ts';

const texts = watchTexts.remove;

/** Stops watching; no file or object is deleted. */
function StopWatching({ folder, onClose }: { folder: WatchedFolder; onClose: () => void }) {
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

/** Handles the command to watch a folder, and renders the dialogs of watched folders. Rendered once. */
export function WatchDialogs({ service }: { service: Service }) {
  const client = useClient();
  const { open } = useWatchStore();
  useCommand('watchFolder', () =>
    sayFailure(
      client.call('files.chooseOne', { purpose: 'watchedFolder' }).then((chosen) => {
        if (chosen !== null) openWatchDialog({ kind: 'add', chosen });
      }),
    ),
  );
  if (open === null) return null;
  if (open.kind === 'remove') return <StopWatching folder={open.folder} onClose={closeWatchDialog} />;
  return (
    <DialogPane onClose={closeWatchDialog}>
      <WatchDialog
        service={service}
        {...(open.kind === 'edit' ? { folder: open.folder } : { chosen: open.chosen })}
        onClose={closeWatchDialog}
      />
    </DialogPane>
  );
}

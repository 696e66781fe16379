import type { Service } from '../../../shared/domain/service.ts';
import { useClient } from '../../app/client.ts';
import { useCommand } from '../../app/commands.ts';
import { DialogPane } from '../../app/Pane.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { StopWatching } from './StopWatching.tsx';
import { WatchDialog } from './WatchDialog.tsx';
import { closeWatchDialog, openWatchDialog, useWatchStore } from './watch-store.ts';

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

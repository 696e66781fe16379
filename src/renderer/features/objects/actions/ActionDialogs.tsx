import { DialogPane } from '../../../app/Pane.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DownloadQuestion } from './DownloadQuestion.tsx';
import { ReclassifyDialog } from './ReclassifyDialog.tsx';
import { MoveDialog } from './MoveDialog.tsx';
import type { ObjectActions } from './use-object-actions.ts';

type Props = {
  actions: ObjectActions;
  serviceId: string;
  separator: string;
  serviceName: string;
  /** Path of the folder, if everything in it is selected. */
  folder?: string;
  /** Called when the deletion has begun. */
  onDeleted?: () => void;
};

/** Questions before a large download, another classification or identifier, or a deletion. */
export function ActionDialogs({ actions, serviceId, separator, serviceName, folder, onDeleted }: Props) {
  const { large, closeLarge, reclassified, closeReclassify, moved, closeMove, doomed, closeDelete } = actions;
  return (
    <>
      {large !== null && (
        <DialogPane onClose={closeLarge}>
          <DownloadQuestion estimate={large.estimate} onDownload={large.begin} onClose={closeLarge} />
        </DialogPane>
      )}
      {reclassified !== null && (
        <DialogPane onClose={closeReclassify}>
          <ReclassifyDialog
            selection={reclassified}
            serviceId={serviceId}
            separator={separator}
            serviceName={serviceName}
            onClose={closeReclassify}
          />
        </DialogPane>
      )}
      {moved !== null && (
        <DialogPane onClose={closeMove}>
          <MoveDialog
            {...moved}
            separator={separator}
            serviceName={serviceName}
            {...(folder !== undefined && { folder })}
            onClose={closeMove}
          />
        </DialogPane>
      )}
      {doomed !== null && (
        <DialogPane onClose={closeDelete}>
          <DeleteDialog
            selection={doomed}
            separator={separator}
            serviceName={serviceName}
            onDone={() => {
              onDeleted?.();
              closeDelete();
            }}
            onClose={closeDelete}
          />
        </DialogPane>
      )}
    </>
  );
}

import { DialogPane } from '../../app/Pane.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DownloadQuestion } from './DownloadQuestion.tsx';
import type { ObjectActions } from './use-object-actions.ts';

type Props = {
  actions: ObjectActions;
  separator: string;
  serviceName: string;
  /** Called when the deletion has begun. */
  onDeleted?: () => void;
};

/** Questions before a large download or a deletion. */
export function ActionDialogs({ actions, separator, serviceName, onDeleted }: Props) {
  const { large, closeLarge, doomed, closeDelete } = actions;
  return (
    <>
      {large !== null && (
        <DialogPane onClose={closeLarge}>
          <DownloadQuestion estimate={large.estimate} onDownload={large.begin} onClose={closeLarge} />
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

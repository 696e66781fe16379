import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../../i18n/object-change-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { formatSize } from '../../../../shared/i18n/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { AlertDialog } from '../../../ui/Dialog.tsx';
import type { DownloadEstimate } from './download-guard.ts';
import { DialogPane } from '../../../app/Pane.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { ReclassifyDialog } from './ReclassifyDialog.tsx';
import { MoveDialog } from './MoveDialog.tsx';
import type { ObjectActions } from './use-object-actions.ts';

const texts = objectChangeTexts.downloadQuestion;

/** The focus is on the answer that changes nothing. */
const focusHere = { autoFocus: true };

type DownloadQuestionProps = { estimate: DownloadEstimate; onDownload: () => void; onClose: () => void };

/** Asks before a large download, with its count, size and the free disk space. */
function DownloadQuestion({ estimate, onDownload, onClose }: DownloadQuestionProps) {
  const { count, totalBytes, unknownLengths, freeBytes } = estimate;
  const size = formatSize(totalBytes);
  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={texts.title({ count })}
      buttons={
        <>
          <Button {...focusHere} size="large" onPress={onClose}>
            {commonTexts.cancel}
          </Button>
          <Button kind="primary" size="large" onPress={onDownload}>
            {objectTexts.act.downloadMany({ count })}
          </Button>
        </>
      }
    >
      <p className="figures">
        {freeBytes === null ? texts.size({ size }) : texts.sizeAndFree({ size, free: formatSize(freeBytes) })}
      </p>
      {unknownLengths > 0 && <p className="figures">{texts.unknown({ count: unknownLengths })}</p>}
      {freeBytes !== null && totalBytes > freeBytes && <p>{texts.tooLittle}</p>}
    </AlertDialog>
  );
}

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
            {...doomed}
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

import { commonTexts } from '../../../i18n/common-texts.ts';
import { objectChangeTexts } from '../../../i18n/object-change-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { formatSize } from '../../../../shared/i18n/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { AlertDialog } from '../../../ui/Dialog.tsx';
import type { DownloadEstimate } from './download-guard.ts';

const texts = objectChangeTexts.downloadQuestion;

/** The focus is on the answer that changes nothing. */
const focusHere = { autoFocus: true };

type Props = { estimate: DownloadEstimate; onDownload: () => void; onClose: () => void };

/** Asks before a large download, with its count, size and the free disk space. */
export function DownloadQuestion({ estimate, onDownload, onClose }: Props) {
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

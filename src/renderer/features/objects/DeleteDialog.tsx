import { useEffect, useState } from 'react';
import type { Output, SelectionSummary } from '../../../shared/contract.ts';
import type { Selection } from '../../../shared/domain/object.ts';
import type { AppError } from '../../../shared/errors.ts';
import { useClient } from '../../app/client.ts';
import { asAppError } from '../../app/mirror.ts';
import { errorLine } from '../../i18n/error-text.ts';
import { formatBytes, formatCount, formatCounted } from '../../i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { AlertDialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { Size } from '../../ui/Size.tsx';
import { fileIcon } from './file-kind.ts';
import './delete-dialog.css';

const namesShown = 10;
const typeAbove = 20;

type Props = {
  selection: Selection;
  separator: string;
  serviceName: string;
  /** Deletion has begun. */
  onDone: () => void;
  onClose: () => void;
};

type Doomed = { summary: SelectionSummary; rows: Output<'objects.names'>['rows'] };

/** The one question before a deletion. The keyboard stands on Cancel; above twenty the count must be typed. */
export function DeleteDialog({ selection, separator, serviceName, onDone, onClose }: Props) {
  const client = useClient();
  const [doomed, setDoomed] = useState<Doomed | null>(null);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<AppError | null>(null);
  const [isStarting, setIsStarting] = useState(false);

  useEffect(() => {
    let live = true;
    Promise.all([
      client.call('objects.summarize', { selection }),
      client.call('objects.names', { selection, limit: namesShown }),
    ]).then(
      ([summary, { rows }]) => live && setDoomed({ summary, rows }),
      (cause: unknown) => live && setError(asAppError(cause)),
    );
    return () => {
      live = false;
    };
  }, [client, selection]);

  if (doomed === null && error === null) return null;
  const count = doomed?.summary.count ?? 0;
  const counted = formatCounted(count, 'object', 'objects');
  const mustType = count > typeAbove;
  const isTyped = !mustType || typed.replace(/\D/g, '') === String(count);

  async function remove() {
    setIsStarting(true);
    try {
      await client.call('objects.delete', { selection });
      onDone();
    } catch (cause) {
      setError(asAppError(cause));
      setIsStarting(false);
    }
  }

  return (
    <AlertDialog
      isOpen
      onClose={onClose}
      title={doomed ? `Delete ${counted}?` : 'Delete'}
      place={serviceName}
      buttons={
        <>
          <Button autoFocus size="large" onPress={onClose}>
            Cancel
          </Button>
          <Button
            kind="fatal"
            size="large"
            isDisabled={count === 0 || !isTyped || isStarting}
            onPress={() => void remove()}
          >
            Delete
          </Button>
        </>
      }
    >
      <p>
        <b>This cannot be undone.</b>{' '}
        {count === 1 ? 'Nobody can fetch it again.' : 'Nobody can fetch them again.'}
        <br />
        Files on this computer are not touched.
      </p>
      {doomed && <DoomedList doomed={doomed} separator={separator} />}
      {mustType && (
        <TextField
          className="doomed__type"
          label={`Type ${formatCount(count)} to confirm`}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
        />
      )}
      {error && (
        <p role="alert" className="doomed__error">
          {errorLine(error)}
        </p>
      )}
    </AlertDialog>
  );
}

function DoomedList({ doomed: { summary, rows }, separator }: { doomed: Doomed; separator: string }) {
  const more = summary.count - rows.length;
  return (
    <ul className="doomed">
      {rows.map(({ id, identifier, lengthBytes }) => (
        <li key={id} title={identifier}>
          <Identifier identifier={identifier} separator={separator} icon={fileIcon({ identifier })} />
          {lengthBytes === null ? <span className="none">–</span> : <Size {...formatBytes(lengthBytes)} />}
        </li>
      ))}
      {more > 0 && <li className="doomed__more">and {formatCount(more)} more</li>}
      <li className="doomed__sum">
        <span>
          {formatCounted(summary.count, 'object', 'objects')}
          {summary.unknownLengths > 0 && (
            <span className="doomed__more">, {formatCount(summary.unknownLengths)} of unknown size</span>
          )}
        </span>
        <Size {...formatBytes(summary.totalBytes)} />
      </li>
    </ul>
  );
}

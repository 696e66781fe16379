import { memo } from 'react';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { useNow } from '../../app/use-now.ts';
import { formatClock, formatDuration, formatPercent } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { askQuestion } from './question-store.ts';
import { failureFacts, transferIcon, transferLine, transferName } from './transfer-text.ts';

type EntryProps = {
  transfer: Transfer;
  separator: string;
  /** From 1, of all that are on the list. */
  position: number;
  of: number;
  /** Pixels. */
  top: number;
  height: number;
};

/** Identifier and percent, bar, one line that begins with the state word. A failure adds its facts and one button. */
export const TransferEntry = memo(function TransferEntry(props: EntryProps) {
  const { transfer, separator, position, of, top, height } = props;
  const nowMs = useNow(transfer.retryAtMs === null ? null : 500);
  const { icon, look } = transferIcon(transfer);
  const isMoving = transfer.state === 'uploading' || transfer.state === 'downloading';
  const line = transferLine(transfer, nowMs);
  return (
    <li
      className="transfer"
      style={{ top, height }}
      aria-label={transferName(transfer)}
      aria-posinset={position}
      aria-setsize={of}
    >
      <span className={`transfer__icon transfer__icon--${look}`}>
        <Icon name={icon} />
      </span>
      <div className="transfer__line">
        <Identifier identifier={transfer.identifier} separator={separator} />
        <span className="transfer__right figures">{rightOf(transfer)}</span>
        <Actions transfer={transfer} />
      </div>
      {(isMoving || transfer.state === 'verifying') && (
        <Bar fraction={isMoving ? fractionOf(transfer) : null} />
      )}
      {transfer.state === 'failed' ? (
        <Failure transfer={transfer} line={line} />
      ) : (
        <p className="transfer__meta figures">
          <span className="transfer__say">{line}</span>
          {isMoving && transfer.leftMs !== null && <span>{formatDuration(transfer.leftMs)} left</span>}
          <Remedy transfer={transfer} />
        </p>
      )}
    </li>
  );
});

function fractionOf({ doneBytes, totalBytes }: Transfer): number | null {
  return totalBytes === null || totalBytes === 0 ? null : doneBytes / totalBytes;
}

function rightOf(transfer: Transfer): string {
  const fraction = fractionOf(transfer);
  if (transfer.finishedAtMs !== null && transfer.state !== 'failed')
    return formatClock(transfer.finishedAtMs);
  return (transfer.state === 'uploading' || transfer.state === 'downloading') && fraction !== null
    ? formatPercent(fraction)
    : '';
}

/** The small actions, shown on hover and focus without moving anything. */
function Actions({ transfer: { id, state, direction, outcome } }: { transfer: Transfer }) {
  const client = useClient();
  const which = [id];
  return (
    <span className="transfer__actions">
      {outcome?.kind === 'saved' && (
        <IconButton
          label="Show in folder"
          icon="folder"
          size="small"
          onPress={() => void client.call('transfers.showInFolder', { id })}
        />
      )}
      {state === 'cancelled' && (
        <IconButton
          label={again(direction)}
          icon="refresh"
          size="small"
          onPress={() => void client.call('transfers.retry', { which })}
        />
      )}
      {(state === 'waiting' || state === 'uploading' || state === 'downloading' || state === 'verifying') && (
        <IconButton
          label="Cancel"
          icon="x"
          size="small"
          onPress={() => void client.call('transfers.cancel', { which })}
        />
      )}
    </span>
  );
}

/** What helps a waiting one most. */
function Remedy({ transfer: { id, state, waitingFor } }: { transfer: Transfer }) {
  const client = useClient();
  if (state !== 'waiting') return null;
  if (waitingFor === 'answer') {
    return (
      <Button kind="link" onPress={() => askQuestion(id)}>
        Answer
      </Button>
    );
  }
  if (waitingFor !== 'retry') return null;
  return (
    <Button kind="link" onPress={() => void client.call('transfers.retry', { which: [id] })}>
      Try now
    </Button>
  );
}

function Failure({ transfer, line }: { transfer: Transfer; line: string }) {
  const client = useClient();
  return (
    <>
      <p className="transfer__note figures" title={line}>
        <b>Failed.</b> {line}
      </p>
      <p className="transfer__foot">
        <span className="transfer__facts figures selectable">{failureFacts(transfer)}</span>
        <Button
          kind="line"
          size="small"
          onPress={() => void client.call('transfers.retry', { which: [transfer.id] })}
        >
          {again(transfer.direction)}
        </Button>
      </p>
    </>
  );
}

function again(direction: Transfer['direction']): string {
  return direction === 'upload' ? 'Upload again' : 'Download again';
}

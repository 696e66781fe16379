import { memo } from 'react';
import { groupOf, isFinished, type Transfer } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import type { EntryPlace } from '../../app/dock-list/GroupedList.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { useNow } from '../../app/use-now.ts';
import { failureFacts } from '../../i18n/ending-text.ts';
import { formatClock, formatDuration, formatPercent, formatSize } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Identifier } from '../../ui/Identifier.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { askQuestion } from './question-store.ts';
import { stateWord, transferIcon, transferLine, transferName } from './transfer-text.ts';

type EntryProps = EntryPlace & { transfer: Transfer; separator: string };

/** Identifier and percent, bar, one line that begins with the state word. A failure adds its facts and one button. */
export const TransferEntry = memo(function TransferEntry(props: EntryProps) {
  const { transfer, separator, position, of, top, height } = props;
  const nowMs = useNow(transfer.retryAtMs === null ? null : 500);
  const { icon, look } = transferIcon(transfer);
  const isMoving = transfer.state === 'uploading' || transfer.state === 'downloading';
  const line = transferLine(transfer, nowMs);
  const client = useClient();
  const { id, state, direction } = transfer;
  const retry = () => sayFailure(client.call('transfers.retry', { which: [id] }));
  const cancel = () => sayFailure(client.call('transfers.cancel', { which: [id] }));
  const showInFolder = () => sayFailure(client.call('transfers.showInFolder', { id }));
  const acts: Act[] = [];
  if (transfer.outcome?.kind === 'saved')
    acts.push({ icon: 'folder', label: 'Show in folder', run: showInFolder });
  if (state === 'cancelled') acts.push({ icon: 'refresh', label: again(direction), run: retry });
  if (!isFinished(state)) acts.push({ icon: 'x', label: 'Cancel', run: cancel });
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
        <Actions acts={acts} />
      </div>
      {(isMoving || transfer.state === 'verifying') && (
        <Bar fraction={isMoving ? fractionOf(transfer) : null} />
      )}
      {groupOf(transfer) === 'needsYou' ? (
        <Need transfer={transfer} line={line} onRetry={retry} />
      ) : (
        <p className="transfer__meta figures">
          <span className="transfer__say" title={line}>
            {line}
          </span>
          {isMoving && transfer.leftMs !== null && <span>{formatDuration(transfer.leftMs)} left</span>}
          {transfer.state === 'verifying' && (
            <span>{formatSize(transfer.totalBytes ?? transfer.doneBytes)}</span>
          )}
          {transfer.waitingFor === 'retry' && (
            <Button kind="link" onPress={retry}>
              Try now
            </Button>
          )}
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

type Act = { icon: IconName; label: string; run: () => void };

/** The small actions, shown on hover and focus without moving anything. */
function Actions({ acts }: { acts: readonly Act[] }) {
  return (
    <span className="transfer__actions">
      {acts.map(({ icon, label, run }) => (
        <IconButton key={label} label={label} icon={icon} size="small" onPress={run} />
      ))}
    </span>
  );
}

/** A failure, or the question of an upload: what it is about, and the one button that helps most. */
function Need({ transfer, line, onRetry }: { transfer: Transfer; line: string; onRetry: () => void }) {
  const { id, state, direction } = transfer;
  const word = `${stateWord[state]}.`;
  return (
    <>
      <p className="transfer__note figures" title={line}>
        {state === 'failed' && line.startsWith(word) ? (
          <>
            <b>{word}</b>
            {line.slice(word.length)}
          </>
        ) : (
          line
        )}
      </p>
      <div className="transfer__foot">
        <span className="transfer__facts figures selectable">{failureFacts(transfer)}</span>
        {state === 'failed' ? (
          <Button kind="line" size="small" onPress={onRetry}>
            {again(direction)}
          </Button>
        ) : (
          <Button kind="line" size="small" onPress={() => askQuestion(id)}>
            Answer
          </Button>
        )}
      </div>
    </>
  );
}

function again(direction: Transfer['direction']): string {
  return direction === 'upload' ? 'Upload again' : 'Download again';
}

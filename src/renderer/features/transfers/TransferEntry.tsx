import { memo } from 'react';
import { useLanguage } from '../../app/use-language.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { stress } from '../../i18n/rich.tsx';
import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import type { Output } from '../../../shared/contract.ts';
import { groupOf, isFinished, type Transfer } from '../../../shared/domain/transfer.ts';
import { useClient } from '../../app/client.ts';
import { showFailure, type Failure } from '../../app/dock-list/failure-store.ts';
import { remediesOf } from '../../app/dock-list/remedies.ts';
import { useFailureActs } from '../../app/dock-list/use-remedies.ts';
import { Entry, type EntryPlace, type SmallAct } from '../../app/dock-list/Entry.tsx';
import type { EntryFacts } from '../../app/dock-list/entry-acts.ts';
import { PriorityMark } from '../../app/dock-list/PriorityMark.tsx';
import { askQuestion } from '../../app/question-store.ts';
import { openAct } from '../../app/dock-list/open-act.ts';
import { openFile, showInFolder } from '../../app/open-file.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useNow } from '../../app/use-now.ts';
import { useWithProgress } from '../../app/use-progress.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { failureFacts } from '../../i18n/ending-text.ts';
import { formatTime, formatDuration, formatPercent, formatSize } from '../../../shared/i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { undoReplace } from '../../app/undo-replace.ts';
import { replaceTexts } from '../../i18n/replace-texts.ts';
import { transferIcon, transferLine, transferName } from './transfer-text.ts';

type PickedTransfer = Output<'transfers.picked'>['rows'][number];
type EntryProps = EntryPlace & { transfer: Transfer; separator: string; isHeld: boolean };

/** Identifier and percent, bar, one line that begins with the state word. A failure adds its facts and one button. */
export const TransferEntry = memo(function TransferEntry(props: EntryProps) {
  useLanguage();
  const { transfer: listed, separator, isHeld, ...place } = props;
  const transfer = useWithProgress(listed);
  const isTimed = transfer.retryAtMs !== null || transfer.replacing?.againAtMs != null;
  const nowMs = useNow(isTimed ? 500 : null);
  const { icon, look } = transferIcon(transfer, isHeld);
  const isHeldUp = transfer.state !== 'waiting' && transfer.waitingFor !== null;
  const isMoving = !isHeldUp && (transfer.state === 'uploading' || transfer.state === 'downloading');
  const isVerifying = !isHeldUp && transfer.state === 'verifying';
  const line = transferLine(transfer, nowMs, { place: place.order, isHeld });
  const client = useClient();
  const { id, state, direction, waitingFor } = transfer;
  const isQueued = state === 'waiting' && waitingFor !== 'answer';
  const retry = () => sayFailure(client.call('transfers.retry', { which: [id] }));
  const cancel = () => sayFailure(client.call('transfers.cancel', { which: [id] }));
  const small: SmallAct[] = [];
  const failure = failureOf(transfer);
  const { remedy, own } = useFailureActs(failure);
  if (failure !== null)
    small.push({
      icon: 'text',
      label: dockTexts.failure.whole,
      isMain: true,
      run: () => showFailure(failure),
    });
  if (transfer.outcome?.kind === 'saved' && transfer.outcome.copyFor === undefined)
    small.push(...openAct(transfer.outcome.fileName, () => openFile(client, id)), {
      icon: 'folder',
      label: commonTexts.showInFolder,
      run: () => showInFolder(client, id),
    });
  const undoable = transfer.outcome?.kind === 'stored' ? transfer.outcome.replaced?.kept : null;
  if (undoable != null)
    small.push({
      icon: 'undo',
      label: replaceTexts.undo,
      run: () => undoReplace(client, undoable),
    });
  if (state === 'cancelled') small.push({ icon: 'refresh', label: again(direction), run: retry });
  if (!isFinished(state)) small.push({ icon: 'x', label: commonTexts.cancel, run: cancel });
  return (
    <Entry
      place={isHeldUp ? { ...place, order: null } : place}
      name={transferName(transfer)}
      facts={transferFacts(transfer, isHeld)}
      separator={separator}
      mark={
        <span className={`transfer__icon transfer__icon--${look}`}>
          <Icon name={icon} />
        </span>
      }
      right={isQueued ? <PriorityMark priority={transfer.priority} /> : rightOf(transfer)}
      small={small}
      own={own}
    >
      {(isMoving || isVerifying) && <Bar fraction={isMoving ? fractionOf(transfer) : null} />}
      {groupOf(transfer) === 'needsYou' ? (
        <Need transfer={transfer} line={line} remedy={remedy} />
      ) : (
        <p className="transfer__meta figures">
          <span className="transfer__say" title={line}>
            {line}
          </span>
          {isMoving && transfer.leftMs !== null && transfer.leftMs > 0 && (
            <span>{commonTexts.timeLeft({ duration: formatDuration(transfer.leftMs) })}</span>
          )}
          {(isVerifying || (isQueued && !canTryNow(transfer))) && (
            <span>{formatSize(transfer.totalBytes ?? transfer.doneBytes)}</span>
          )}
          {canTryNow(transfer) && (
            <Button kind="link" onPress={retry}>
              {commonTexts.tryNow}
            </Button>
          )}
        </p>
      )}
    </Entry>
  );
});

/** What decides what can be done with it. */
export function transferFacts(transfer: PickedTransfer, isHeld: boolean): EntryFacts {
  const { id, identifier, state, waitingFor, priority } = transfer;
  return {
    id,
    identifier,
    isFinished: isFinished(state),
    isWaiting: state === 'waiting',
    waitingFor,
    priority,
    isHeld,
    canTryAgain: state === 'failed' || state === 'cancelled',
  };
}

function canTryNow({ waitingFor }: Transfer): boolean {
  return waitingFor === 'retry' || waitingFor === 'network';
}

function fractionOf({ doneBytes, totalBytes }: Transfer): number | null {
  return totalBytes === null || totalBytes === 0 ? null : doneBytes / totalBytes;
}

function rightOf(transfer: Transfer): string {
  const fraction = fractionOf(transfer);
  if (transfer.finishedAtMs !== null && transfer.state !== 'failed') return formatTime(transfer.finishedAtMs);
  return (transfer.state === 'uploading' || transfer.state === 'downloading') && fraction !== null
    ? formatPercent(fraction)
    : '';
}

/** A failure, or the question of an upload: what it is about, and the one button that helps most. */
function Need({
  transfer,
  line,
  remedy,
}: {
  transfer: Transfer;
  line: string;
  remedy: { label: string; run: () => void } | null;
}) {
  const { id, state } = transfer;
  return (
    <>
      <p className="transfer__note figures" title={line}>
        {state === 'failed' ? stress(line, texts.state.failed) : line}
      </p>
      <div className="transfer__foot">
        <span className="transfer__facts figures selectable">{failureFacts(transfer)}</span>
        {remedy !== null ? (
          <Button kind="line" size="small" onPress={remedy.run}>
            {remedy.label}
          </Button>
        ) : (
          <Button kind="line" size="small" onPress={() => askQuestion(id)}>
            {texts.answer}
          </Button>
        )}
      </div>
    </>
  );
}

/** What can be done about it; null: it has not failed. */
function failureOf(transfer: Transfer): Failure | null {
  const { id, identifier, state, direction, profileId, error } = transfer;
  if (state !== 'failed' || error === null) return null;
  return {
    list: 'transfers',
    profileId,
    name: identifier,
    direction,
    which: [id],
    error,
    facts: failureFacts(transfer),
    remedies: remediesOf(error.code, direction),
  };
}

function again(direction: Transfer['direction']): string {
  return direction === 'upload' ? texts.uploadAgain : texts.downloadAgain;
}

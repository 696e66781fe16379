import { memo } from 'react';
import { useLanguage } from '../../app/use-language.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import type { Output } from '../../../shared/contract.ts';
import { isFinished, tabOf, type Transfer, type TransferGroup } from '../../../shared/domain/transfer.ts';
import { useClient, type Client } from '../../app/client.ts';
import { showFailure, type Failure } from '../../app/dock-list/failure-store.ts';
import { remediesOf } from '../../app/dock-list/remedies.ts';
import { remedyLabel, useFailureActs } from '../../app/dock-list/use-remedies.ts';
import { Entry, type EntryPlace, type SmallAct } from '../../app/dock-list/Entry.tsx';
import type { EntryFacts } from '../../app/dock-list/entry-acts.ts';
import { PriorityMark } from '../../app/dock-list/PriorityMark.tsx';
import { askQuestion } from '../../app/question-store.ts';
import { openAct } from '../../app/dock-list/open-act.ts';
import { openFile, showInFolder } from '../../app/open-file.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { undoReplace } from '../../app/undo-replace.ts';
import { useNow } from '../../app/use-now.ts';
import { useWithProgress } from '../../app/use-progress.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { failureFacts } from '../../i18n/ending-text.ts';
import { replaceTexts } from '../../i18n/replace-texts.ts';
import { formatDuration, formatPercent, formatSize, formatTime } from '../../../shared/i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Bar } from '../../ui/Progress.tsx';
import {
  isHeldUp,
  needNote,
  transferIcon,
  transferLine,
  transferName,
  transferTitle,
} from './transfer-text.ts';
import { closingFacts, closingNote, deferredFacts, type Note } from './window-text.ts';
import { WindowRing } from './WindowRing.tsx';

type PickedTransfer = Output<'transfers.picked'>['rows'][number];
type EntryProps = EntryPlace & {
  transfer: Transfer;
  group: TransferGroup;
  /** Its place among the entries is its place in the queue. */
  isPlaceTrue: boolean;
  separator: string;
  /** Everything is paused, or its service. */
  isHeld: boolean;
  /** Of another service than the list's. */
  serviceName: string | null | undefined;
};

/**
 * Identifier and percentage, bar, and one line that begins with the state; before it the window ring of deferred
 * requests. If it needs attention, or its window is closing, it shows details and one button instead.
 */
export const TransferEntry = memo(function TransferEntry(props: EntryProps) {
  useLanguage();
  const { transfer: listed, group: stands, isPlaceTrue, separator, isHeld, serviceName, ...place } = props;
  const transfer = useWithProgress(listed);
  // One of an opened batch stands where its batch does.
  const isMember = transfer.batch !== undefined && stands !== 'needsYou';
  const group = isMember ? groupOfMember(transfer) : stands;
  const nowMs = useNow(clockOf(transfer));
  const client = useClient();
  const { state, waitingFor, doneBytes, totalBytes, leftMs } = transfer;
  const isDeferred = transfer.route === 'deferred';
  const fraction = totalBytes === null || totalBytes === 0 ? null : doneBytes / totalBytes;
  const isStopped = isHeldUp(transfer);
  const movesBytes = !isStopped && (state === 'uploading' || state === 'downloading');
  const isVerifying = !isDeferred && !isStopped && state === 'verifying';
  const isQueued = state === 'waiting' && waitingFor !== 'answer';
  const isOpen = group === 'moving' || group === 'waiting';
  const canTryNow = (isQueued || isStopped) && (waitingFor === 'retry' || waitingFor === 'network');
  const line = transferLine(transfer, nowMs, { place: isPlaceTrue ? place.order : null, isHeld });
  const { icon, look } = transferIcon(transfer, isHeld);
  const failure = failureOf(transfer);
  const { remedy, own } = useFailureActs(failure);
  const retry = () => sayFailure(client.call('transfers.retry', { which: [transfer.id] }));
  return (
    <Entry
      place={isStopped ? { ...place, order: null } : place}
      name={transferName(transfer)}
      facts={entryFacts(transfer, isHeld)}
      separator={separator}
      className={isDeferred ? `job job--${group}` : isMember ? 'is-member' : ''}
      mark={
        isDeferred ? (
          <WindowRing transfer={transfer} nowMs={nowMs} />
        ) : (
          <span className={`transfer__icon transfer__icon--${look}`}>
            <Icon name={icon} />
          </span>
        )
      }
      right={
        <>
          {serviceName && <bdi className="transfer__service">{serviceName}</bdi>}
          {group === 'done' && <Icon name={transfer.direction === 'upload' ? 'up' : 'dn'} size={12} />}
          {group === 'done' && transfer.finishedAtMs !== null && formatTime(transfer.finishedAtMs)}
          {movesBytes && fraction !== null && formatPercent(fraction)}
          {isQueued && <PriorityMark priority={transfer.priority} />}
        </>
      }
      small={smallActs(client, transfer, failure, retry)}
      own={own}
    >
      {group === 'closing' && (
        <Alert
          note={closingNote(transfer, nowMs)}
          facts={closingFacts(transfer)}
          button={canCheck(transfer) ? { label: texts.checkNow, run: retry } : null}
        />
      )}
      {group === 'needsYou' && (
        <Alert
          note={waitingFor === 'answer' ? { strong: '', text: line } : needNote(transfer)}
          facts={failureFacts(transfer)}
          button={remedy ?? needButton(transfer, retry)}
        />
      )}
      {isOpen && (movesBytes || isVerifying) && <Bar fraction={movesBytes ? fraction : null} />}
      {(isOpen || group === 'done') && (
        <p className="transfer__meta figures">
          <span className="transfer__say" title={transferTitle(transfer, nowMs) ?? line}>
            {line}
          </span>
          {isOpen && canCheck(transfer) && (
            <Button kind="link" onPress={retry}>
              {texts.checkNow}
            </Button>
          )}
          {canTryNow && (
            <Button kind="link" onPress={retry}>
              {commonTexts.tryNow}
            </Button>
          )}
          {isDeferred && movesBytes && (
            <span>{texts.soFar({ duration: formatDuration(nowMs - transfer.createdAtMs) })}</span>
          )}
          {!isDeferred && movesBytes && leftMs !== null && leftMs > 0 && (
            <span>{commonTexts.timeLeft({ duration: formatDuration(leftMs) })}</span>
          )}
          {!isDeferred && (isVerifying || (isQueued && !canTryNow)) && (
            <span>{formatSize(totalBytes ?? doneBytes)}</span>
          )}
        </p>
      )}
      {isDeferred && isOpen && !movesBytes && (
        <p className="job__facts figures">{deferredFacts(transfer, nowMs)}</p>
      )}
    </Entry>
  );
});

/** The facts that determine its actions. */
export function entryFacts(transfer: PickedTransfer, isHeld: boolean): EntryFacts {
  const { id, identifier, state, waitingFor, priority, outcome } = transfer;
  return {
    id,
    identifier,
    isFinished: isFinished(state),
    isWaiting: state === 'waiting',
    waitingFor,
    priority,
    isHeld,
    canTryAgain: canStartAgain(transfer) && state !== 'done',
    isSaved: outcome?.kind === 'saved' && outcome.copyFor === undefined,
  };
}

function groupOfMember(transfer: Transfer): TransferGroup {
  if (isFinished(transfer.state)) return 'done';
  return transfer.state === 'waiting' || isHeldUp(transfer) ? 'waiting' : 'moving';
}

/** How often its text changes with time, in ms; null: never. */
function clockOf({ route, state, retryAtMs, replacing }: Transfer): number | null {
  if (isFinished(state)) return null;
  if (retryAtMs !== null || replacing?.againAtMs != null) return 500;
  return route === 'deferred' ? 1000 : null;
}

/** Whether its status can be checked at the service now. */
function canCheck({ state }: Transfer): boolean {
  return state === 'processing' || state === 'ready';
}

/** The value of a secret is not stored anywhere, and nobody waits for an old read. */
function canStartAgain({ kind, state }: PickedTransfer): boolean {
  return kind === 'data' && isFinished(state);
}

type Act = { label: string; run: () => void };

/** The primary button when no failure suggests one: answer, or start again. */
function needButton(transfer: Transfer, retry: () => void): Act | null {
  const { id, waitingFor } = transfer;
  if (waitingFor === 'answer') return { label: texts.answer, run: () => askQuestion(id) };
  return canStartAgain(transfer) ? { label: again(transfer), run: retry } : null;
}

function again(transfer: Transfer): string {
  return remedyLabel('again', { list: tabOf(transfer), direction: transfer.direction });
}

/**
 * The failure that can be handled; null: it has not failed, only its result is lost, or its value is not stored
 * anywhere.
 */
function failureOf(transfer: Transfer): Failure | null {
  const { id, identifier, state, kind, direction, serviceId, error } = transfer;
  if (state !== 'failed' || kind !== 'data' || error === null) return null;
  return {
    list: tabOf(transfer),
    serviceId,
    name: identifier,
    direction,
    which: [id],
    error,
    facts: failureFacts(transfer),
    remedies: remediesOf(error.code, direction),
  };
}

/** Text, details and the most useful button. */
function Alert({ note, facts, button }: { note: Note; facts: string; button: Act | null }) {
  return (
    <>
      <p className="transfer__note figures" title={`${note.strong} ${note.text}`.trim()}>
        <b>{note.strong}</b> {note.text}
      </p>
      <div className="transfer__foot">
        <span className="transfer__facts figures selectable" title={facts}>
          {facts}
        </span>
        {button !== null && (
          <Button kind="line" size="small" onPress={button.run}>
            {button.label}
          </Button>
        )}
      </div>
    </>
  );
}

/** Shown on hover and focus without shifting the layout. */
function smallActs(
  client: Client,
  transfer: Transfer,
  failure: Failure | null,
  retry: () => void,
): SmallAct[] {
  const { id, state, route, outcome, activityToken } = transfer;
  const acts: SmallAct[] = [];
  if (failure !== null) {
    const run = () => showFailure(failure);
    acts.push({ icon: 'text', label: dockTexts.failure.whole, isMain: true, run });
  }
  if (outcome?.kind === 'saved' && outcome.copyFor === undefined)
    acts.push(...openAct(outcome.fileName, () => openFile(client, id)), {
      icon: 'folder',
      label: commonTexts.showInFolder,
      run: () => showInFolder(client, [id]),
    });
  const undoable = outcome?.kind === 'stored' ? outcome.replaced?.kept : null;
  if (undoable != null)
    acts.push({ icon: 'undo', label: replaceTexts.undo, run: () => undoReplace(client, undoable) });
  if (route === 'deferred' && activityToken !== null)
    acts.push({ icon: 'copy', label: texts.copyToken, run: copyToken });
  if (state === 'cancelled' && canStartAgain(transfer))
    acts.push({ icon: 'refresh', label: again(transfer), run: retry });
  if (!isFinished(state)) acts.push({ icon: 'x', label: commonTexts.cancel, run: cancel });
  return acts;

  function copyToken(): void {
    const copied = client.call('transfers.copyActivityToken', { id });
    sayFailure(copied.then(() => announce(texts.copiedToken)));
  }

  function cancel(): void {
    sayFailure(client.call('transfers.cancel', { which: [id] }));
  }
}

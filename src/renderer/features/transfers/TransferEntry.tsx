import { memo } from 'react';
import { deferredWindowMs, warnBeforeMs } from '../../../shared/domain/limits.ts';
import { isFinished, type Transfer, type TransferState } from '../../../shared/domain/transfer.ts';
import {
  formatCount,
  formatDuration,
  formatPercent,
  formatRemaining,
  formatSize,
  formatStopwatch,
  formatTime,
} from '../../../shared/i18n/format.ts';
import type { TransferGroup } from '../../../shared/domain/transfer-summary.ts';
import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Bar, Ring } from '../../ui/Progress.tsx';
import { useLanguage } from '../../app/use-language.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useClient } from '../../app/client.ts';
import { useFailureActs } from '../../app/dock-list/use-remedies.ts';
import { Entry, type EntryPlace } from '../../app/dock-list/Entry.tsx';
import { PriorityMark } from '../../app/dock-list/EntryItem.tsx';
import { sayFailure } from '../../app/say-failure.ts';
import { useNow } from '../../app/use-now.ts';
import { useWithProgress } from '../../app/use-progress.ts';
import { Button } from '../../ui/Button.tsx';
import {
  isHeldUp,
  needNote,
  transferIcon,
  transferLine,
  transferName,
  transferTitle,
} from './transfer-text.ts';
import { type Act, canCheck, entryFacts, failureOf, needButton, smallActs } from './transfer-acts.ts';
import { closingFacts, closingNote, deferredFacts, type Note } from './window-text.ts';

const [amberMs, redMs] = warnBeforeMs;

type RingAppearance = {
  /** Remaining share of the window, 1 to 0; null: not begun, drawn dotted. */
  left: number | null;
  tone: 'moving' | 'wait' | 'bad' | 'ok' | 'idle';
  /** In the centre: the remaining time, short and in words, or an icon. */
  inside: { text: string; words: string } | { icon: IconName };
};

/** The time window of a deferred request, which empties with time: teal, amber from 10 minutes, red from 2. */
function WindowRing({ transfer, nowMs }: { transfer: Transfer; nowMs: number }) {
  const { left, tone, inside } = appearanceOf(transfer, nowMs);
  return (
    <span className={`job__ring job__ring--${tone}`} title={'words' in inside ? inside.words : undefined}>
      {'text' in inside ? (
        <>
          <Ring left={left} tone={tone}>
            {inside.text}
          </Ring>
          <span className="visually-hidden">{inside.words}</span>
        </>
      ) : (
        <>
          <Ring left={left} tone={tone} />
          <Icon name={inside.icon} />
        </>
      )}
    </span>
  );
}

const over: Partial<Record<TransferState, RingAppearance>> = {
  done: { left: 0, tone: 'ok', inside: { icon: 'check' } },
  lost: { left: 0, tone: 'bad', inside: { icon: 'x' } },
  failed: { left: 0, tone: 'bad', inside: { icon: 'fail' } },
  cancelled: { left: 0, tone: 'idle', inside: { icon: 'x' } },
};

function appearanceOf(transfer: Transfer, nowMs: number): RingAppearance {
  const { state, window } = transfer;
  return (
    over[state] ?? (window === null ? notBegun(transfer) : counting(window.endsAtMs - nowMs, window.isPast))
  );
}

function notBegun(transfer: Transfer): RingAppearance {
  const { state, direction, waitingFor } = transfer;
  if (state !== 'waiting' && !isHeldUp(transfer))
    return { left: null, tone: 'moving', inside: { icon: direction === 'upload' ? 'up' : 'dn' } };
  if (waitingFor === 'token' || waitingFor === 'paused')
    return { left: null, tone: 'wait', inside: { icon: 'pause' } };
  return { left: null, tone: waitingFor === 'turn' ? 'idle' : 'wait', inside: { icon: 'clock' } };
}

function counting(leftMs: number, isPast: boolean): RingAppearance {
  if (isPast || leftMs <= 0) return { left: 0, tone: 'bad', inside: { icon: 'clock' } };
  return {
    left: leftMs / deferredWindowMs,
    tone: leftMs <= redMs ? 'bad' : leftMs <= amberMs ? 'wait' : 'moving',
    inside: {
      text: leftMs <= redMs ? formatStopwatch(leftMs) : formatCount(Math.floor(leftMs / 60_000)),
      words: texts.windowLeft({ duration: formatRemaining(leftMs) }),
    },
  };
}

type EntryProps = EntryPlace & {
  transfer: Transfer;
  group: TransferGroup;
  /** Whether the position in the list is the position in the queue. */
  isPlaceTrue: boolean;
  separator: string;
  /** Whether everything or its service is paused. */
  isHeld: boolean;
  /** Shown if it is not the active service. */
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
  // A transfer of an expanded batch is listed in the group of its batch.
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
  const isLastLook = transfer.replacing?.againAtMs != null;
  const isQueued = state === 'waiting' && waitingFor !== 'answer';
  const isOpen = group === 'moving' || group === 'waiting';
  const canTryNow = (isQueued || isStopped) && (waitingFor === 'retry' || waitingFor === 'network');
  const line = transferLine(transfer, nowMs, isPlaceTrue ? place.order : null);
  const { icon, tone } = transferIcon(transfer);
  const failure = failureOf(transfer);
  const { remedy, own } = useFailureActs(failure);
  const service = serviceName && <bdi className="transfer__service">{serviceName}</bdi>;
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
          <span className={`transfer__icon transfer__icon--${tone}`}>
            <Icon name={icon} />
          </span>
        )
      }
      right={
        <>
          {group === 'needsYou' && service}
          {group === 'done' && <Icon name={transfer.direction === 'upload' ? 'up' : 'dn'} size={12} />}
          {group === 'done' && transfer.finishedAtMs !== null && formatTime(transfer.finishedAtMs)}
          {isDeferred && movesBytes && fraction !== null && formatPercent(fraction)}
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
          button={remedy ?? needButton(transfer, retry)}
        />
      )}
      {isOpen && (movesBytes || (isVerifying && !isLastLook)) && (
        <Bar fraction={movesBytes ? fraction : null} />
      )}
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
          {transfer.replacing && movesBytes && leftMs !== null && leftMs > 0 && (
            <span>{commonTexts.timeLeft({ duration: formatDuration(leftMs) })}</span>
          )}
          {!isDeferred && ((isVerifying && !transfer.replacing) || (isQueued && !canTryNow)) && (
            <span>{formatSize(totalBytes ?? doneBytes)}</span>
          )}
          {service}
        </p>
      )}
      {isDeferred && isOpen && !movesBytes && (
        <p className="job__facts figures">{deferredFacts(transfer, nowMs)}</p>
      )}
    </Entry>
  );
});

function groupOfMember(transfer: Transfer): TransferGroup {
  if (isFinished(transfer.state)) return 'done';
  return transfer.state === 'waiting' || isHeldUp(transfer) ? 'waiting' : 'moving';
}

/** Interval in ms at which its text changes; null: never. */
function clockOf({ route, state, retryAtMs, replacing }: Transfer): number | null {
  if (isFinished(state)) return null;
  if (retryAtMs !== null || replacing?.againAtMs != null) return 500;
  return route === 'deferred' ? 1000 : null;
}

/** Text, details and the most useful button. Codes are only in the full message. */
function Alert({ note, facts = '', button }: { note: Note; facts?: string; button: Act | null }) {
  return (
    <>
      <p className="transfer__note figures">
        <b>{note.strong}</b> {note.text}
      </p>
      {(facts !== '' || button !== null) && (
        <div className="transfer__foot">
          {facts !== '' && (
            <span className="transfer__facts figures selectable" title={facts}>
              {facts}
            </span>
          )}
          {button !== null && (
            <Button kind="line" size="small" onPress={button.run}>
              {button.label}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

import { memo, type KeyboardEvent } from 'react';
import { prioritySchema } from '../../../shared/domain/transfer.ts';
import type { Batch } from '../../../shared/domain/transfer-summary.ts';
import { timeLeftMs } from '../../../shared/domain/progress.ts';
import {
  formatDuration,
  formatList,
  formatPercent,
  formatSpeed,
  formatTime,
} from '../../../shared/i18n/format.ts';
import { useClient, type Client } from '../../app/client.ts';
import type { EntryPlace } from '../../app/dock-list/Entry.tsx';
import { EntryItem, FoldButton, PriorityMark } from '../../app/dock-list/EntryItem.tsx';
import { entryPointer } from '../../app/dock-list/entry-keys.ts';
import { toggleFold } from '../../app/dock-list/list-layout.ts';
import { useListActions, type Point } from '../../app/dock-list/list-context.ts';
import { inlineKey, inlineStart } from '../../app/key-bindings.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useLanguage } from '../../app/use-language.ts';
import { useNow } from '../../app/use-now.ts';
import { useBatchProgress } from '../../app/use-progress.ts';
import { batchTexts as texts, dockTexts } from '../../i18n/dock-texts.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { MenuEntry } from '../../ui/Menu.tsx';
import { Bar } from '../../ui/Progress.tsx';
import { batchFolder, batchIcon, batchLine, batchTitle, batchTrouble, triedAgain } from './batch-text.ts';
import { cancelTransfers, restart } from '../../app/cancel-transfers.ts';
import { foldOfBatch } from './use-transfers.ts';
import './batches.css';

/** A batch. Its chevron, Enter and the arrow keys expand it into its transfers. */
export const BatchEntry = memo(function BatchEntry(props: {
  batch: Batch;
  place: EntryPlace;
  /** Whether the position in the list is the position in the queue. */
  isPlaceTrue: boolean;
  separator: string;
  isOpen: boolean;
  /** Whether everything or its service is paused. */
  isHeld: boolean;
  /** Shown if it is not the active service. */
  serviceName: string | null | undefined;
}) {
  useLanguage();
  const { place, isPlaceTrue, separator, isOpen, isHeld, serviceName } = props;
  const batch = useBatchProgress(props.batch);
  const { state, next, doneBytes, totalBytes, bytesPerSecond, finishedAtMs } = batch;
  const heldUp = triedAgain(batch, isHeld);
  const retryAtMs = heldUp === null && state === 'waiting' ? next?.retryAtMs : heldUp?.retryAtMs;
  const nowMs = useNow(retryAtMs == null ? null : 500);
  const client = useClient();
  const { openMenu } = useListActions();
  const title = batchTitle(batch);
  const folder = batchFolder(batch, separator);
  const line = batchLine(batch, nowMs, { place: isPlaceTrue ? place.order : null, isHeld });
  const trouble = batchTrouble(batch);
  const name = formatList([title, folder !== '' && folder, line, trouble !== '' && trouble]);
  const { icon, tone } = batchIcon(batch);
  const acts = actsOf(client, batch, isHeld);
  const remedy = remedyOf(batch, acts);
  const leftMs = state === 'moving' ? timeLeftMs(bytesPerSecond, totalBytes - doneBytes) : null;
  const isMoving = state === 'moving';
  const toggle = () => toggleFold(foldOfBatch(batch.id));

  function open(from: HTMLElement, at?: Point) {
    const box = from.getBoundingClientRect();
    openMenu({
      at: { x: inlineStart(box), y: at?.y ?? box.top },
      label: title,
      entries: menuOf(batch, acts),
    });
  }

  function takeKey(event: KeyboardEvent<HTMLElement>) {
    const { key, currentTarget, shiftKey } = event;
    const way = inlineKey(key);
    if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) open(currentTarget);
    else if (event.target !== currentTarget) return;
    else if (key === 'Enter') toggle();
    else if (way !== null) {
      if ((way === 'end') !== isOpen) toggle();
    } else if (key === ' ') (acts.pause ?? acts.resume)?.();
    else if (key === 'Delete') acts.cancel?.();
    else return;
    event.preventDefault();
  }

  return (
    <EntryItem
      className="transfer batch"
      name={foldOfBatch(batch.id)}
      takeKey={takeKey}
      style={{ top: place.top, height: place.height ?? undefined }}
      aria-label={name}
      aria-posinset={place.position}
      aria-setsize={place.of}
      {...entryPointer(() => undefined, open)}
    >
      <FoldButton
        isOpen={isOpen}
        label={(isOpen ? texts.fold : texts.unfold)({ name: title })}
        onPress={toggle}
      />
      <span className={`transfer__icon transfer__icon--${tone}`}>
        <Icon name={icon} />
      </span>
      <div className="transfer__line">
        <span className="batch__title">{title}</span>
        {folder !== '' && (
          <bdi className="batch__folder" title={batch.folder}>
            {folder}
          </bdi>
        )}
        <span className="transfer__right figures">
          {state === 'waiting' && next !== null && <PriorityMark priority={next.priority} />}
          {state === 'done' && finishedAtMs !== null && formatTime(finishedAtMs)}
          {isMoving && totalBytes > 0 && formatPercent(doneBytes / totalBytes)}
        </span>
        <span className="transfer__actions">
          {acts.show && (
            <IconButton icon="folder" size="small" label={commonTexts.showInFolder} onPress={acts.show} />
          )}
          {acts.remove && (
            <IconButton icon="trash" size="small" label={dockTexts.remedy.remove} onPress={acts.remove} />
          )}
          {acts.cancel && (
            <IconButton
              icon="x"
              size="small"
              label={texts.cancel({ count: cancellable(batch) })}
              onPress={acts.cancel}
            />
          )}
          <IconButton
            icon="more"
            size="small"
            label={dockTexts.more}
            aria-haspopup="menu"
            onPress={({ target }) => {
              const from = target.closest<HTMLElement>('[data-entry]');
              if (from !== null) open(from);
            }}
          />
        </span>
      </div>
      {isMoving && <Bar fraction={totalBytes > 0 ? doneBytes / totalBytes : null} />}
      <p className="transfer__meta figures">
        <span className="batch__say" title={formatList([line, trouble !== '' && trouble])}>
          <span className="batch__line">{line}</span>
          {trouble !== '' && line !== '' && <span className="batch__dot"> · </span>}
          {trouble !== '' && <b className="batch__trouble">{trouble}</b>}
        </span>
        {remedy !== null ? (
          <Button kind="link" aria-label={remedy.name ?? remedy.label} onPress={remedy.run}>
            {remedy.label}
          </Button>
        ) : (
          <>
            {isMoving && bytesPerSecond !== null && <span>{formatSpeed(bytesPerSecond)}</span>}
            {leftMs !== null && leftMs > 0 && (
              <span>{commonTexts.timeLeft({ duration: formatDuration(leftMs) })}</span>
            )}
          </>
        )}
        {serviceName && <bdi className="transfer__service">{serviceName}</bdi>}
      </p>
    </EntryItem>
  );
});

/** Actions on all its transfers; those that do not apply are omitted. */
type BatchActs = Partial<
  Record<'pause' | 'resume' | 'tryNow' | 'tryAgain' | 'uploadRest' | 'show' | 'remove' | 'cancel', () => void>
> & { setPriority?: (value: string) => void };

type Remedy = { label: string; name?: string; run: () => void };

function cancellable({ open, asking }: Batch): number {
  return open + asking;
}

function actsOf(client: Client, batch: Batch, isHeld: boolean): BatchActs {
  const { id, serviceId, action, open, paused, failed, done, cancelled, state, next } = batch;
  const which = { batch: id };
  const heldUp = triedAgain(batch, isHeld);
  return {
    ...(open > paused && { pause: () => sayFailure(client.call('transfers.pause', { which })) }),
    ...(paused > 0 && !isHeld && { resume: () => sayFailure(client.call('transfers.resume', { which })) }),
    ...(heldUp !== null && {
      tryNow: () => {
        const cause = { serviceId, group: 'waiting', code: heldUp.error.code } as const;
        sayFailure(client.call('transfers.retry', { which: cause }));
      },
    }),
    ...(failed > 0 && { tryAgain: () => sayFailure(client.call('transfers.retry', { which })) }),
    ...(action === 'upload' && cancelled > 0 && { uploadRest: () => sayFailure(uploadRest(client, id)) }),
    ...(action === 'download' &&
      done > 0 && { show: () => sayFailure(client.call('transfers.showInFolder', which)) }),
    ...(state === 'done' && { remove: () => sayFailure(client.call('transfers.clear', which)) }),
    ...(cancellable(batch) > 0 && {
      cancel: () => cancelTransfers(client, which),
    }),
    ...(next !== null && {
      setPriority: (value: string) =>
        sayFailure(client.call('transfers.setPriority', { ...which, priority: prioritySchema.parse(value) })),
    }),
  };
}

/** What helps most. There is no room for more: the others are in the menu. `name`: accessible, if it says more. */
function remedyOf({ failed }: Batch, { tryNow, tryAgain, uploadRest }: BatchActs): Remedy | null {
  if (tryNow) return { label: commonTexts.tryNow, run: tryNow };
  if (tryAgain)
    return { label: commonTexts.tryAgain, name: texts.tryAgain({ count: failed }), run: tryAgain };
  return uploadRest ? { label: texts.uploadRest, run: uploadRest } : null;
}

/** Restarts what of an upload was cancelled. */
async function uploadRest(client: Client, batch: number): Promise<void> {
  const { ids } = await client.call('transfers.open', { which: { cancelledOf: batch } });
  await restart(client, ids);
}

function menuOf({ failed, next }: Batch, acts: BatchActs): MenuEntry[] {
  const { pause, resume, tryNow, tryAgain, uploadRest, show, remove, cancel, setPriority } = acts;
  const menu = dockTexts.menu;
  const entries: MenuEntry[] = [];
  if (pause) entries.push({ id: 'pause', label: menu.pause, icon: 'pause', keys: 'Space', onAction: pause });
  if (resume)
    entries.push({
      id: 'resume',
      label: menu.resume,
      icon: 'play',
      ...(!pause && { keys: 'Space' }),
      onAction: resume,
    });
  if (tryNow) entries.push({ id: 'tryNow', label: commonTexts.tryNow, icon: 'refresh', onAction: tryNow });
  if (tryAgain)
    entries.push({
      id: 'tryAgain',
      label: texts.tryAgain({ count: failed }),
      icon: 'refresh',
      onAction: tryAgain,
    });
  if (uploadRest)
    entries.push({ id: 'uploadRest', label: texts.uploadRest, icon: 'up', onAction: uploadRest });
  if (show) entries.push({ id: 'show', label: commonTexts.showInFolder, icon: 'folder', onAction: show });
  if (remove) entries.push({ id: 'remove', label: dockTexts.remedy.remove, icon: 'trash', onAction: remove });
  if (setPriority && next !== null)
    entries.push('line', {
      kind: 'set',
      id: 'priority',
      label: menu.priority,
      chosenText: menu.chosen,
      value: next.priority,
      choices: prioritySchema.options.map((value) => ({ value, label: dockTexts.priority[value] })),
      onChoose: setPriority,
    });
  if (cancel)
    entries.push('line', {
      id: 'cancel',
      label: menu.cancel,
      icon: 'x',
      kind: 'bad',
      keys: 'Delete',
      onAction: cancel,
    });
  return entries;
}

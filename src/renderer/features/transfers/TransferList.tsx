import { useCallback, useMemo, useRef, type ReactNode, useState } from 'react';
import type { Cause, TransferGroup } from '../../../shared/domain/transfer-summary.ts';
import type { Tab, Transfer } from '../../../shared/domain/transfer.ts';
import type { AppError } from '../../../shared/errors.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { transferTexts as texts } from '../../i18n/transfer-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { useClient } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { useActiveService, useServices, useTransferSummary } from '../../app/stores.ts';
import { CauseEntry, type CauseRows } from '../../app/dock-list/CauseEntry.tsx';
import type { EntryPlace } from '../../app/dock-list/Entry.tsx';
import { createEntryCommands } from '../../app/dock-list/entry-acts.ts';
import {
  countOf,
  type ListShape,
  type PlacedGroup,
  toggleFold,
  useExpandedGroups,
} from '../../app/dock-list/list-layout.ts';
import { GroupedList } from '../../app/dock-list/GroupedList.tsx';
import { Acts, FoldHead, GroupHead, type HeadAct } from '../../app/dock-list/GroupHead.tsx';
import { PauseBar } from '../../app/dock-list/PauseBar.tsx';
import { useDockLayout } from '../../app/dock-list/use-dock-layout.ts';
import { useFocusHeir } from '../../app/dock-list/use-focus-heir.ts';
import { useHeld } from '../../app/dock-list/entry-keys.ts';
import { BatchEntry } from './BatchEntry.tsx';
import { cancelTransfers } from '../../app/cancel-transfers.ts';
import { ConfirmDialog } from '../../app/ConfirmDialog.tsx';
import { entryFacts } from './transfer-acts.ts';
import { TransferEntry } from './TransferEntry.tsx';
import { foldOfBatch, isBatchRow, type Row, type TransferPage } from './use-transfers.ts';

const shapes: Readonly<Record<Tab, ListShape<TransferGroup>>> = {
  transfers: [
    ['needsYou', 124, 'measured'],
    ['moving', 58],
    ['waiting', 46],
    ['done', 46],
  ],
  jobs: [
    ['closing', 120, 'measured'],
    ['needsYou', 126, 'measured'],
    ['moving', 62],
    ['waiting', 62],
    ['done', 48],
  ],
};

/** Above this many, *Cancel all* asks. */
const mostUnasked = 20;

/** A tab of the dock: paused transfers, then groups, each problem once, finished ones collapsed. */
export function TransferList(props: {
  tab: Tab;
  /** The filter of the list; `''`: none. While filtering, actions on everything are hidden. */
  filter: string;
  page: TransferPage | null;
  onShow: (from: number, to: number) => void;
  askRows: (offset: number, limit: number) => Promise<readonly Row[]>;
  error: AppError | null;
  onRetry: () => void;
  empty: ReactNode;
  /** Shown between the paused transfers and the list. */
  tools?: ReactNode;
}) {
  const { tab, filter, page } = props;
  const isFiltered = filter !== '';
  const client = useClient();
  const { services } = useServices();
  const activeId = useActiveService()?.id;
  const serviceOf = ({ serviceId }: { serviceId: string }) => services.find(({ id }) => id === serviceId);
  const isHeld = useHeld();
  const [isAsked, setAsked] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useFocusHeir(box);
  const paused = useTransferSummary()?.paused;
  const isPaused = paused?.all ?? true;
  const shape = shapes[tab];
  const summary = page?.summary[tab];
  const verifying = page?.verifying ?? 0;
  const unfolded = useExpandedGroups();
  const { layout, heights, causesOf, canFold, doneKey } = useDockLayout(
    tab,
    shape,
    page,
    page?.counts,
    isFiltered ? undefined : summary?.causes,
    page?.entries.done ?? 0,
  );

  const { closing = 0, moving = 0, waiting = 0 } = summary?.counts ?? {};
  const isHeldUp = ({ group }: Cause) => group === 'waiting';
  const held = (summary?.causes ?? []).filter(isHeldUp).reduce((sum, { count }) => sum + count, 0);
  // A batch is a single entry, although many of its transfers may come first.
  const isPlaceTrue = waiting - held <= (page?.entries.waiting ?? 0);
  const transferEntry = (transfer: Transfer, place: EntryPlace, group: TransferGroup) => (
    <TransferEntry
      key={transfer.id}
      transfer={transfer}
      group={group}
      isPlaceTrue={isPlaceTrue}
      separator={serviceOf(transfer)?.separator ?? '/'}
      isHeld={isHeld(transfer.serviceId)}
      serviceName={transfer.serviceId === activeId ? null : serviceOf(transfer)?.name}
      {...place}
    />
  );
  const entry = (row: Row, place: EntryPlace, group: TransferGroup) => {
    if (!isBatchRow(row)) return transferEntry(row, place, group);
    const { batch } = row;
    return (
      <BatchEntry
        key={foldOfBatch(batch.id)}
        batch={batch}
        place={place}
        isPlaceTrue={isPlaceTrue}
        separator={serviceOf(batch)?.separator ?? '/'}
        isOpen={unfolded.has(foldOfBatch(batch.id))}
        isHeld={isHeld(batch.serviceId)}
        serviceName={batch.serviceId === activeId ? null : serviceOf(batch)?.name}
      />
    );
  };
  const askFacts = useCallback(
    async (ids: number[]) =>
      (await client.call('transfers.picked', { ids })).rows.map((row) =>
        entryFacts(row, isHeld(row.serviceId)),
      ),
    [client, isHeld],
  );
  const commands = useMemo(() => createEntryCommands(client), [client]);
  const causeRows = useMemo<Omit<CauseRows, 'entry'>>(
    () => ({
      ask: async (cause, limit) =>
        (await client.call('transfers.page', { tab, offset: 0, limit, cause })).rows,
      subscribe: (changed) => client.on('transfers.changed', () => changed()),
    }),
    [client, tab],
  );

  function titleOf(group: TransferGroup): string {
    if (group === 'moving') return texts.tab[tab].moving;
    const isHeldBack = paused?.all === true || paused?.byHour === true;
    return group === 'waiting' && isHeldBack ? dockTexts.paused.all : texts.group[group];
  }

  function actsOf({ group }: PlacedGroup<TransferGroup>): HeadAct[] {
    if (isFiltered || (group !== 'done' && group !== 'needsYou')) return [];
    const failed = (summary?.failed ?? 0) + (summary?.lost ?? 0);
    const acts: HeadAct[] = [];
    if (group === 'needsYou' && failed > 1)
      acts.push({
        label: texts.tab[tab].retryAll,
        run: () => sayFailure(client.call('transfers.retry', { which: { tab } })),
      });
    if (group === 'done' || failed > 0)
      acts.push({
        label: dockTexts.clear,
        name: group === 'done' ? dockTexts.clearDone : dockTexts.clearFailed,
        run: () => sayFailure(client.call('transfers.clear', { tab, group })),
      });
    return acts;
  }

  const pause: HeadAct = {
    label: dockTexts.pauseAll,
    seat: 'pause',
    run: () => {
      const paused = client.call('transfers.pause', { which: 'all' });
      sayFailure(paused.then(() => announce(dockTexts.pause.all, 'polite', { isOnScreen: true })));
    },
  };
  const openCount = closing + moving + waiting;
  const cancel: HeadAct = {
    label: dockTexts.cancelAll,
    run: () => (openCount > mostUnasked ? setAsked(true) : cancelTransfers(client, { tab })),
  };
  const hasOpenedWaiting = page !== null && page.counts.waiting > page.entries.waiting;
  return (
    <div className="dock-list" ref={box}>
      <PauseBar />
      {isAsked && (
        <ConfirmDialog
          kind="primary"
          title={dockTexts.cancelAllTitle({ count: openCount })}
          button={dockTexts.cancelAll}
          leave={dockTexts.cancelNone}
          run={async () => cancelTransfers(client, { tab })}
          onClose={() => setAsked(false)}
        >
          <p>{dockTexts.cancelAllText}</p>
        </ConfirmDialog>
      )}
      {props.tools}
      {openCount > 0 && !isFiltered && (
        // Above the list, so that it stays reachable.
        <div className="dock-list__open">
          <span className="figures">{dockTexts.toGo({ count: openCount })}</span>
          <Acts acts={isPaused ? [cancel] : [pause, cancel]} />
        </div>
      )}
      <GroupedList
        list={tab}
        label={texts.tab[tab].label}
        layout={layout}
        heights={heights}
        page={page}
        onShow={props.onShow}
        error={props.error}
        onRetry={props.onRetry}
        empty={props.empty}
        entry={entry}
        askRows={props.askRows}
        askFacts={askFacts}
        commands={commands}
        query={filter}
        ordered={isFiltered || hasOpenedWaiting ? null : 'waiting'}
        head={(placed) => {
          const { group, top, isFolded } = placed;
          const count = page?.entries[group] ?? 0;
          const acts = actsOf(placed);
          if (group === 'done' && canFold)
            return (
              <FoldHead
                key={group}
                count={count}
                top={top}
                isFolded={isFolded}
                onToggle={() => toggleFold(doneKey)}
                acts={acts}
              />
            );
          return (
            <GroupHead
              key={group}
              title={titleOf(group)}
              count={
                count +
                countOf(causesOf(group).map(({ cause }) => cause)) -
                (group === 'moving' ? verifying : 0)
              }
              beside={group === 'moving' && verifying > 0 ? dockTexts.verifying({ count: verifying }) : null}
              top={top}
              isBad={group === 'closing' || group === 'needsYou'}
              acts={acts}
            />
          );
        }}
        above={({ group, begin, above }) =>
          causesOf(group).map((placed) => (
            <CauseEntry
              key={placed.name}
              placed={placed}
              top={begin - above + placed.top}
              rows={{
                ...causeRows,
                entry: (row, place) => transferEntry(row, place, placed.cause.group),
              }}
            />
          ))
        }
      />
    </div>
  );
}

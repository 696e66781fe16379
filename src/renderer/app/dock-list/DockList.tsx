import { useRef, type ReactNode } from 'react';
import type { JobGroup } from '../../../shared/domain/job.ts';
import type { Cause, Priority, TransferGroup } from '../../../shared/domain/transfer.ts';
import type { AppError } from '../../../shared/errors.ts';
import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { useClient } from '../client.ts';
import type { WindowPage } from '../row-window.ts';
import { sayFailure } from '../say-failure.ts';
import { useTransferSummary } from '../stores.ts';
import { CauseEntry, type CauseRows } from './CauseEntry.tsx';
import type { EntryPlace } from './Entry.tsx';
import type { EntryCommands, EntryFacts } from './entry-acts.ts';
import { toggleFold } from './folds.ts';
import { GroupedList } from './GroupedList.tsx';
import { Acts, FoldHead, GroupHead, type HeadAct } from './GroupHead.tsx';
import type { ListShape, PlacedGroup } from './list-layout.ts';
import { PauseBar } from './PauseBar.tsx';
import { useDockLayout } from './use-dock-layout.ts';
import { useFocusHeir } from './use-focus-heir.ts';

type DockGroup = TransferGroup | JobGroup;
type Listed = { id: number; identifier: string; priority: Priority };

/** Direct transfers, or deferred requests: what is paused, then groups, each trouble once, the finished ones folded. */
export function DockList<G extends DockGroup, Row extends Listed>(props: {
  /** `transfers`, `jobs`. */
  list: string;
  label: string;
  shape: ListShape<G>;
  counts: Readonly<Record<G, number>> | undefined;
  causes: readonly Cause[] | undefined;
  /** Of *Moving*: it stands there, and is not counted as moving. */
  verifying?: number;
  page: WindowPage<Row> | null;
  onShow: (from: number, to: number) => void;
  error: AppError | null;
  onRetry: () => void;
  empty: ReactNode;
  titles: Readonly<Record<G, string>>;
  /** Those that can be paused and cancelled, and how many of each the whole list has. */
  openGroups: readonly G[];
  open: Readonly<Record<G, number>> | undefined;
  /** For *Needs you*: those that failed can be begun again, and cleared. */
  failed: { count: number; retryLabel: string; retry: () => Promise<void> };
  onCancelAll: () => Promise<void>;
  onClear: (group: 'needsYou' | 'done') => Promise<void>;
  entry: (row: Row, place: EntryPlace, group: G) => ReactNode;
  askRows: (offset: number, limit: number) => Promise<readonly Row[]>;
  askFacts: (ids: number[]) => Promise<readonly EntryFacts[]>;
  commands: EntryCommands;
  /** What the list was asked for; `''`: all of it. With a filter, what would be done with all of it is not offered. */
  query?: string;
  causeRows: CauseRows<Row>;
}) {
  const { list, shape, counts, causes: listed, titles, openGroups, open, query = '', failed } = props;
  const { verifying = 0 } = props;
  const isFiltered = query !== '';
  const client = useClient();
  const box = useRef<HTMLDivElement>(null);
  useFocusHeir(box);
  const isPaused = useTransferSummary()?.paused.all ?? true;
  const { layout, causes, causeCount, canFold, doneKey } = useDockLayout(list, shape, counts, listed);

  function actsOf({ group }: PlacedGroup<G>): HeadAct[] {
    if (isFiltered) return [];
    const acts: HeadAct[] = [];
    const canClear = group === 'done' || (group === 'needsYou' && failed.count > 0);
    if (group === 'needsYou' && failed.count > 1)
      acts.push({ label: failed.retryLabel, run: () => sayFailure(failed.retry()) });
    if (canClear)
      acts.push({
        label: texts.clear,
        name: group === 'done' ? texts.clearDone : texts.clearFailed,
        run: () => sayFailure(props.onClear(group === 'done' ? 'done' : 'needsYou')),
      });
    return acts;
  }

  const pause: HeadAct = {
    label: texts.pauseAll,
    seat: 'pause',
    run: () => {
      const paused = client.call('transfers.pause', { which: 'all' });
      sayFailure(paused.then(() => announce(texts.pause.all, 'polite', { isOnScreen: true })));
    },
  };
  const cancel: HeadAct = { label: texts.cancelAll, run: () => sayFailure(props.onCancelAll()) };
  const openCount = openGroups.reduce((sum, group) => sum + (open?.[group] ?? 0), 0);
  return (
    <div className="dock-list" ref={box}>
      <PauseBar />
      {openCount > 0 && !isFiltered && (
        // Above the list, where it is reached however far that goes.
        <div className="dock-list__open">
          <span className="figures">{texts.toGo({ count: openCount })}</span>
          <Acts acts={isPaused ? [cancel] : [pause, cancel]} />
        </div>
      )}
      <GroupedList
        list={list}
        label={props.label}
        layout={layout}
        page={props.page}
        onShow={props.onShow}
        error={props.error}
        onRetry={props.onRetry}
        empty={props.empty}
        entry={props.entry}
        askRows={props.askRows}
        askFacts={props.askFacts}
        commands={props.commands}
        query={query}
        ordered={isFiltered ? null : (shape.find(([group]) => group === 'waiting')?.[0] ?? null)}
        head={(placed) => {
          const { group, count, top, isFolded } = placed;
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
              title={titles[group]}
              count={count + (group === 'needsYou' ? causeCount : 0) - (group === 'moving' ? verifying : 0)}
              beside={group === 'moving' && verifying > 0 ? texts.verifying({ count: verifying }) : null}
              top={top}
              isBad={group === 'closing' || group === 'needsYou'}
              acts={acts}
            />
          );
        }}
        above={({ group, begin, above }) =>
          group === 'needsYou' &&
          causes.map((placed) => (
            <CauseEntry
              key={placed.name}
              placed={placed}
              top={begin - above + placed.top}
              rows={props.causeRows}
            />
          ))
        }
      />
    </div>
  );
}

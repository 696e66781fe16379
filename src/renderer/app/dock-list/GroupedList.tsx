import { useCallback, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import { pageLimitMax } from '../../../shared/domain/object.ts';
import type { Priority } from '../../../shared/domain/transfer.ts';
import type { AppError } from '../../../shared/errors.ts';
import { rowAt, type WindowPage } from '../row-window.ts';
import { useScrollView } from '../use-scroll-view.ts';
import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ContextMenu } from '../../ui/Menu.tsx';
import type { EntryPlace } from './Entry.tsx';
import type { EntryCommands, EntryFacts } from './entry-acts.ts';
import { ListProvider, type OpenMenu } from './list-context.ts';
import { entriesBetween, placeOf, type ListLayout, type PlacedGroup } from './list-layout.ts';
import { useListSelection } from './use-list-selection.ts';
import { useMeasuredHeights, type Heights } from './use-measured-heights.ts';
import { useReorder } from './use-reorder.ts';
import { useTabStop } from './entry-keys.ts';
import './dock-list.css';
import { commonTexts } from '../../i18n/common-texts.ts';

type Listed = {
  /** Negative: it stands for several transfers, and cannot be selected. */
  id: number;
  identifier: string;
  priority: Priority;
  /** The first in the queue of the transfers it stands for: dropping before it means dropping before that one. */
  first?: number | undefined;
};

/** A grouped, virtualised dock list: only visible rows are in the DOM. */
export function GroupedList<G extends string, Row extends Listed>(props: {
  /** `transfers` or `jobs`. */
  list: string;
  label: string;
  layout: ListLayout<G>;
  /** Measured heights, and their setter. */
  heights: readonly [Heights, (heights: Heights) => void];
  page: WindowPage<Row> | null;
  /** Requests the rows `from` to `to` (exclusive). */
  onShow: (from: number, to: number) => void;
  head: (placed: PlacedGroup<G>) => ReactNode;
  /** Rendered between the heading of a group and its entries; the layout defines its height. */
  above: (placed: PlacedGroup<G>) => readonly ReactNode[];
  entry: (row: Row, place: EntryPlace, group: G) => ReactNode;
  /** The group that can be reordered; null: none, because the list does not show all of it. */
  ordered: G | null;
  /** Fetches rows that are not loaded. */
  askRows: (offset: number, limit: number) => Promise<readonly Row[]>;
  /** The current state of these transfers, in queue order. */
  askFacts: (ids: number[]) => Promise<readonly EntryFacts[]>;
  commands: EntryCommands;
  /** The filter of the list. */
  query: string;
  /** Why the page could not be loaded. */
  error: AppError | null;
  onRetry: () => void;
  /** Shown while the list is empty. */
  empty: ReactNode;
}) {
  const { label, layout, page, onShow, head, above, entry, ordered, error, onRetry, empty } = props;
  const { askRows, askFacts, commands, query } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const whole = useRef<HTMLDivElement>(null);
  const entries = useRef<HTMLUListElement>(null);
  const view = useScrollView(scroller);
  useMeasuredHeights(scroller, entries, page, (index) => placeOf(layout, index), props.heights);
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const { offset, count } = entriesBetween(layout, view.top, view.top + view.height);
  useEffect(() => {
    if (count > 0) onShow(offset, offset + count);
  }, [offset, count, onShow]);

  const selection = useListSelection(props.list, query, {
    list: () => entries.current,
    count: layout.groups.reduce((sum, group) => sum + (group.isFolded ? 0 : group.count), 0),
    idsBetween: async (from, to) => {
      const rows: Row[] = [];
      while (from + rows.length <= to) {
        const at = from + rows.length;
        const loaded = rowAt(page, at);
        const found =
          loaded === undefined ? await askRows(at, Math.min(to - at + 1, pageLimitMax)) : [loaded];
        if (found.length === 0) break;
        rows.push(...found);
      }
      return rows.flatMap(({ id }) => (id > 0 ? [id] : []));
    },
  });
  const selectedNoteId = useId();
  const { ids } = selection;
  const meantBy = useCallback(
    async (facts: EntryFacts) => (ids.size > 1 && ids.has(facts.id) ? askFacts([...ids]) : [facts]),
    [ids, askFacts],
  );
  const { step, drag, dragged, lineTop } = useReorder(
    loadedOf(layout, page, ordered),
    (clientY) => clientY - (whole.current?.getBoundingClientRect().top ?? 0),
    ids,
    async (priority) => {
      const facts = await askFacts([...ids]);
      return facts.filter((each) => each.isWaiting && each.priority === priority).map(({ id }) => id);
    },
  );
  const stop = useTabStop(
    scroller,
    entries,
    selection,
    (top) => top === view.top && areLoaded(page, offset, count),
  );
  const actions = useMemo(
    () => ({ ...stop, openMenu: setMenu, selection, selectedNoteId, meantBy, commands, step, drag, dragged }),
    [stop, selection, selectedNoteId, meantBy, commands, step, drag, dragged],
  );

  function entryAt(index: number): ReactNode {
    const row = rowAt(page, index);
    const place = placeOf(layout, index);
    if (row === undefined || place === null) return null;
    const { top, placed } = place;
    const { group, first } = placed;
    const height = placed.isMeasured ? null : place.height;
    const order = group === ordered ? index - first + 1 : null;
    return entry(row, { position: index + 1, of: layout.total, top, height, order }, group);
  }

  return (
    <ListProvider value={actions}>
      <div className="transfers" ref={scroller}>
        {page === null && error !== null && (
          <EmptyState
            icon="warn"
            title={errorText(error).title}
            text={errorText(error).what}
            buttons={
              <Button kind="line" onPress={onRetry}>
                {commonTexts.tryAgain}
              </Button>
            }
          />
        )}
        {page?.total === 0 && layout.groups.length === 0 && empty}
        <div className="transfers__all" ref={whole} style={{ height: layout.height }}>
          {layout.groups.map((placed) => head(placed))}
          <ul aria-label={label} ref={entries}>
            {layout.groups.flatMap((placed) => {
              const from = Math.max(offset, placed.first);
              const shown = Math.min(offset + count, placed.first + placed.count) - from;
              return [
                ...above(placed),
                ...Array.from({ length: Math.max(shown, 0) }, (_, at) => entryAt(from + at)),
              ];
            })}
          </ul>
          <span id={selectedNoteId} hidden>
            {texts.isSelected}
          </span>
          {lineTop !== null && <span className="transfers__drop" style={{ top: lineTop }} />}
        </div>
      </div>
      <ContextMenu
        at={menu?.at ?? null}
        label={menu?.label ?? ''}
        entries={menu?.entries ?? []}
        placement="start top"
        onClose={() => setMenu(null)}
      />
    </ListProvider>
  );
}

function areLoaded(page: WindowPage<unknown> | null, offset: number, count: number): boolean {
  return Array.from({ length: count }, (_, at) => rowAt(page, offset + at)).every((row) => row !== undefined);
}

/** The loaded rows of a group. */
function loadedOf<G extends string, Row extends Listed>(
  layout: ListLayout<G>,
  page: WindowPage<Row> | null,
  group: G | null,
) {
  const placed = layout.groups.find((each) => each.group === group);
  if (placed === undefined || page === null) return null;
  const from = Math.max(placed.first, page.offset);
  const to = Math.min(placed.first + placed.count, page.offset + page.rows.length);
  return {
    placed,
    first: from - placed.first,
    rows: page.rows
      .slice(from - page.offset, Math.max(from, to) - page.offset)
      .map((row) => ({ ...row, id: row.first ?? row.id })),
  };
}

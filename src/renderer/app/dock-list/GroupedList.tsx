import { useEffect, useRef, type ReactNode } from 'react';
import type { AppError } from '../../../shared/errors.ts';
import { rowAt, type WindowPage } from '../row-window.ts';
import { useScrollView } from '../use-scroll-view.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatCount } from '../../i18n/format.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { entriesBetween, layOut, placeOf, type ListShape, type PlacedGroup } from './list-layout.ts';
import './dock-list.css';

export type EntryPlace = {
  /** From 1, of all that are on the list. */
  position: number;
  of: number;
  /** Pixels. */
  top: number;
  height: number;
};

/** A list of the dock in groups. Only what is seen is in the page, so that thousands need no time. */
export function GroupedList<G extends string, Row>(props: {
  label: string;
  shape: ListShape<G>;
  counts: Readonly<Record<G, number>> | undefined;
  page: WindowPage<Row> | null;
  /** Wants the rows `from` to `to` (excluded). */
  onShow: (from: number, to: number) => void;
  head: (placed: PlacedGroup<G>, groups: readonly PlacedGroup<G>[]) => ReactNode;
  entry: (row: Row, place: EntryPlace, group: G) => ReactNode;
  /** Why there is no page yet. */
  error: AppError | null;
  onRetry: () => void;
  /** What stands there while the list is empty. */
  empty: ReactNode;
}) {
  const { label, shape, counts, page, onShow, head, entry, error, onRetry, empty } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScrollView(scroller);
  const layout = layOut(shape, counts);
  const { offset, count } = entriesBetween(layout, view.top, view.top + view.height);
  useEffect(() => {
    if (count > 0) onShow(offset, offset + count);
  }, [offset, count, onShow]);

  return (
    <div className="transfers" ref={scroller}>
      {page === null && error !== null && (
        <EmptyState
          icon="warn"
          title={errorText(error).title}
          text={errorText(error).what}
          buttons={
            <Button kind="line" onPress={onRetry}>
              Try again
            </Button>
          }
        />
      )}
      {page?.total === 0 && empty}
      <div className="transfers__all" style={{ height: layout.height }}>
        {layout.groups.map((placed) => head(placed, layout.groups))}
        <ul aria-label={label}>
          {Array.from({ length: count }, (_, shown) => {
            const index = offset + shown;
            const row = rowAt(page, index);
            const place = placeOf(layout, index);
            if (row === undefined || place === null) return null;
            const { top, placed } = place;
            const { group, entryHeight: height } = placed;
            return entry(row, { position: index + 1, of: layout.total, top, height }, group);
          })}
        </ul>
      </div>
    </div>
  );
}

/** The name of a group, how many, and what can be done with all of them. */
export function GroupHead(props: {
  title: string;
  count: number;
  top: number;
  isBad?: boolean;
  children?: ReactNode;
}) {
  const { title, count, top, isBad = false, children } = props;
  return (
    <div className="transfers__head" style={{ top }}>
      <h3 className={isBad ? 'bad' : ''}>{title}</h3>
      <span className="figures">{formatCount(count)}</span>
      <span className="transfers__acts">{children}</span>
    </div>
  );
}

import { uploadTexts } from '../../i18n/upload-texts.ts';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { FailedList } from '../../app/FailedList.tsx';
import { rowAt } from '../../app/row-window.ts';
import { useScrollView } from '../../app/use-scroll-view.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FileRow, type FileRowActions } from './FileRow.tsx';
import { plainRow, rowsBetween, topOfRow } from './sheet-layout.ts';
import { usePlanWindow } from './use-plan-window.ts';

const texts = uploadTexts.table;
/** Height of the headings: `--bar-columns`. */
const headPx = 28;
/** Minimum height in a low window: the headings and three files, or all if fewer. */
const leastPx = headPx + 3 * plainRow;

/** The files of a sheet, those with notes first. Only visible rows are rendered. */
export function FileTable(props: { plan: UploadPlan; actions: FileRowActions; onRows: () => void }) {
  const { plan, actions, onRows } = props;
  const { page, error, show, retry } = usePlanWindow(plan);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScrollView(scroller);
  const { total, first } = page?.plan ?? plan;
  const rows = { total, first, notedBelow: page?.notedBelow ?? [] };
  const { from, to } = rowsBetween(rows, view.top, view.top + view.height);
  const neededPx = total === 0 ? leastPx : headPx + topOfRow(rows, total);
  useEffect(() => {
    if (to > from) show(from, to);
  }, [from, to, show]);

  const tellRows = useEffectEvent(onRows);
  useEffect(() => tellRows(), [page]);

  return (
    <div
      className="files"
      ref={scroller}
      style={{ flexBasis: neededPx, minHeight: Math.min(neededPx, leastPx) }}
    >
      <table aria-label={texts.label} aria-rowcount={total + 1}>
        <thead>
          <tr aria-rowindex={1} className="files__head">
            <th scope="col">{texts.file}</th>
            <th scope="col">{texts.identifier}</th>
            <th scope="col" className="files__size">
              {texts.size}
            </th>
            <th scope="col">
              <span className="visually-hidden">{texts.remove}</span>
            </th>
          </tr>
        </thead>
        <tbody className="files__all" style={{ height: topOfRow(rows, total) }}>
          {Array.from({ length: to - from }, (_, at) => from + at).map((index) => {
            const entry = rowAt(page, index);
            return (
              entry !== undefined && (
                <FileRow
                  key={entry.id}
                  entry={entry}
                  index={index}
                  top={topOfRow(rows, index)}
                  isFirst={index < first}
                  actions={actions}
                />
              )
            );
          })}
        </tbody>
      </table>
      {page === null && error !== null && <FailedList error={error} onRetry={retry} />}
      {plan.total === 0 && !plan.reading && plan.handedOver === 0 && (
        <EmptyState icon="tray" title={texts.none} text={texts.noneText} />
      )}
    </div>
  );
}

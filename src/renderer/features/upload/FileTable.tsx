import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import type { ClassificationPickerHandle } from '../../app/classification/ClassificationPicker.tsx';
import { isMac } from '../../app/key-bindings.ts';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import { FailedList } from '../../app/FailedList.tsx';
import { rowAt } from '../../app/row-window.ts';
import { useScrollView } from '../../app/use-scroll-view.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FileRow, type FileRowActions } from './FileRow.tsx';
import { usePlanWindow } from './use-plan-window.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { objectTexts } from '../../i18n/object-texts.ts';

/** Height of files with notes, in pixels. Two fixed heights, so that ten thousand rows need no measuring. */
const tallRow = 61;
const plainRow = 37;

/** The first group is tall, and below it the few rows at the positions `notedBelow`, ascending. */
export type Rows = Pick<UploadPlan, 'total' | 'first'> & { notedBelow: readonly number[] };

export function topOfRow({ first, notedBelow }: Rows, index: number): number {
  const tall = Math.min(index, first) + notedBelow.filter((place) => place < index).length;
  return tall * tallRow + (index - tall) * plainRow;
}

/** The rows that intersect the pixels from `from` up to, not including, `to`. */
export function rowsBetween(rows: Rows, from: number, to: number): { from: number; to: number } {
  const { total } = rows;
  return {
    from: Math.max(0, Math.min(total, Math.floor(indexAt(rows, from)))),
    to: Math.max(0, Math.min(total, Math.ceil(indexAt(rows, to)))),
  };
}

/** The position in rows, with a fraction. */
function indexAt(rows: Rows, top: number): number {
  const { first, notedBelow } = rows;
  if (top <= first * tallRow) return top / tallRow;
  const place = notedBelow.findLast((each) => topOfRow(rows, each) < top);
  if (place === undefined) return first + (top - first * tallRow) / plainRow;
  const into = top - topOfRow(rows, place);
  return into <= tallRow ? place + into / tallRow : place + 1 + (into - tallRow) / plainRow;
}

type FirstFocusOptions = {
  upload: RefObject<HTMLButtonElement | null>;
  picker: RefObject<ClassificationPickerHandle | null>;
  plan: Pick<UploadPlan, 'problems'>;
  /** null: no choice; undefined: the default is not known yet. */
  classification: string | null | undefined;
  mayUpload: boolean;
};

/**
 * Focuses the first thing to do once everything is loaded: the first invalid identifier or another remedy; else the
 * classification if none is chosen; else the upload button. Does nothing if the focus is in the sheet already.
 * @returns call when rows were rendered, which happens later
 */
export function useFirstFocus(options: FirstFocusOptions): () => void {
  const { upload, picker, plan, classification, mayUpload } = options;
  const isDone = useRef(false);
  const look = () => {
    const sheet = upload.current?.closest('[role="dialog"]');
    if (isDone.current || sheet == null || !mayUpload || classification === undefined) return;
    if (document.activeElement !== sheet) {
      isDone.current = sheet.contains(document.activeElement);
      return;
    }
    isDone.current = true;
    if (plan.problems > 0) {
      const toDo = sheet.querySelector<HTMLElement>('.file__field--bad input, .file__remedy');
      toDo?.focus();
      isDone.current = toDo !== null;
    } else if (classification === null) picker.current?.focus();
    else upload.current?.focus();
  };
  useEffect(look);
  return look;
}

export const uploadKeys = isMac
  ? { shown: '⌘+↩', spoken: 'Meta+Enter' }
  : { shown: 'Ctrl+Enter', spoken: 'Control+Enter' };

const texts = uploadTexts.table;
/** Height of the headings: `--bar-columns`. */
const headPx = 28;
/** Minimum height in a low window: the headings and two files, or all if fewer. Then nothing else has to scroll. */
const leastPx = headPx + 2 * plainRow;

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
            <th scope="col">{objectTexts.column.identifier}</th>
            <th scope="col" className="files__size">
              {objectTexts.column.size}
            </th>
            <th scope="col">
              <span className="visually-hidden">{commonTexts.remove}</span>
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

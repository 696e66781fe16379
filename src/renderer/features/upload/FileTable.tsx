import { useEffect, useRef } from 'react';
import { uploadTexts } from '../../i18n/upload-texts.ts';
import type { Draft } from '../../../shared/domain/upload-draft.ts';
import { FailedList } from '../../app/FailedList.tsx';
import { rowAt } from '../../app/row-window.ts';
import { useScrollView } from '../../app/use-scroll-view.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { FileRow, type FileRowActions } from './FileRow.tsx';
import { rowsBetween, topOfRow } from './sheet-layout.ts';
import { useDraftWindow } from './use-draft-window.ts';

const texts = uploadTexts.table;

/** The files of a sheet; those with something to say stand first. Only what is seen is in the page. */
export function FileTable({ draft, actions }: { draft: Draft; actions: FileRowActions }) {
  const { page, error, show, retry } = useDraftWindow(draft);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScrollView(scroller);
  const counts = page?.draft ?? draft;
  const { from, to } = rowsBetween(counts, view.top, view.top + view.height);
  useEffect(() => {
    if (to > from) show(from, to);
  }, [from, to, show]);

  return (
    <div className="files" ref={scroller}>
      <table aria-label={texts.label} aria-rowcount={counts.total + 1}>
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
        <tbody className="files__all" style={{ height: topOfRow(counts, counts.total) }}>
          {Array.from({ length: to - from }, (_, at) => from + at).map((index) => {
            const entry = rowAt(page, index);
            return (
              entry !== undefined && (
                <FileRow
                  key={entry.id}
                  entry={entry}
                  index={index}
                  top={topOfRow(counts, index)}
                  actions={actions}
                />
              )
            );
          })}
        </tbody>
      </table>
      {page === null && error !== null && <FailedList error={error} onRetry={retry} />}
      {draft.total === 0 && !draft.reading && draft.handedOver === 0 && (
        <EmptyState icon="tray" title={texts.none} text={texts.noneText} />
      )}
    </div>
  );
}

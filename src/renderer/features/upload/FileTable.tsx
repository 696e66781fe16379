import { useEffect, useRef } from 'react';
import type { Draft } from '../../../shared/domain/upload-draft.ts';
import { rowAt } from '../../app/row-window.ts';
import { useScrollView } from '../../app/use-scroll-view.ts';
import { FileRow, type FileRowActions } from './FileRow.tsx';
import { rowsBetween, topOfRow } from './sheet-layout.ts';
import { useDraftWindow } from './use-draft-window.ts';

/** The files of a sheet; those with something to say stand first. Only what is seen is in the page. */
export function FileTable({ draft, actions }: { draft: Draft; actions: FileRowActions }) {
  const { page, show } = useDraftWindow(draft.id);
  const scroller = useRef<HTMLDivElement>(null);
  const view = useScrollView(scroller);
  const counts = page?.draft ?? draft;
  const { from, to } = rowsBetween(counts, view.top, view.top + view.height);
  useEffect(() => {
    if (to > from) show(from, to);
  }, [from, to, show]);

  return (
    <div className="files" role="table" aria-label="Files to upload" aria-rowcount={counts.total + 1}>
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className="files__head">
          <span role="columnheader">File</span>
          <span role="columnheader">Identifier</span>
          <span role="columnheader" className="files__size">
            Size
          </span>
          <span role="columnheader">
            <span className="visually-hidden">Remove</span>
          </span>
        </div>
      </div>
      <div className="files__scroll" ref={scroller}>
        <div role="rowgroup" className="files__all" style={{ height: topOfRow(counts, counts.total) }}>
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
        </div>
      </div>
    </div>
  );
}

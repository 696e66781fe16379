import { memo, use } from 'react';
import type { FolderRow } from '../../../../shared/domain/object.ts';
import {
  formatBytes,
  formatCount,
  formatList,
  formatMoment,
  formatTime,
} from '../../../../shared/i18n/format.ts';
import { useIsOver } from '../../../app/drops.ts';
import { FolderOfMenu } from '../../../app/folder-menu.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { cellRole, rowRole } from '../../../ui/aria-roles.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { Size } from '../../../ui/Size.tsx';
import { figureColumns, momentWidthPx, type ShownColumn } from './columns.ts';
import { useBrowser } from '../state/browser-store.ts';
import { rowId } from './ObjectRowView.tsx';
import { RenameFolder } from './RenameField.tsx';
import './folder-rows.css';
import { commonTexts } from '../../../i18n/common-texts.ts';

const texts = objectTexts.folder;

export type FolderRowProps = {
  /** undefined: still loading. */
  folder: FolderRow | undefined;
  /** Negative. */
  index: number;
  /** From 0. */
  rowIndex: number;
  columns: readonly ShownColumn[];
  nowMs: number;
  isSelected: boolean;
  isCursor: boolean;
};

/** A folder above the objects: also a drop target. */
export const FolderRowView = memo(function FolderRowView(props: FolderRowProps) {
  const { folder, index, rowIndex, columns, nowMs, isSelected, isCursor } = props;
  useLanguage();
  const marks = useMarks(folder?.path);
  if (folder === undefined) {
    return (
      <div className="object-row object-row--skeleton" aria-hidden="true">
        <span className="skeleton" />
      </div>
    );
  }
  return (
    <div
      {...rowRole}
      {...attributesOf(folder, index)}
      {...marks}
      className={`object-row folder-row ${isCursor ? 'is-cursor' : ''}`}
      aria-rowindex={rowIndex + 2}
      aria-selected={isSelected}
    >
      <span {...cellRole} className="folder-row__name">
        <Icon name="folder" />
        <FolderName folder={folder} />
        <span className="folder-row__count">{commonTexts.objects({ count: folder.count })}</span>
      </span>
      {columns.map(({ column, widthPx }) => (
        <span
          key={column}
          {...cellRole}
          className={`object-row__${column} ${figureColumns.has(column) ? 'figure' : ''}`}
        >
          {column === 'size' && <Size {...formatBytes(folder.totalBytes)} />}
          {column === 'stored' && folder.newestAtMs !== null && (
            <Newest atMs={folder.newestAtMs} nowMs={nowMs} isShort={widthPx < momentWidthPx} />
          )}
        </span>
      ))}
    </div>
  );
});

function Newest({ atMs, nowMs, isShort }: { atMs: number; nowMs: number; isShort: boolean }) {
  const time = formatMoment(atMs, nowMs);
  return <span title={texts.newest({ time })}>{isShort ? formatTime(atMs, nowMs) : time}</span>;
}

/** A folder as a low tile, before those of the objects. */
export const FolderTile = memo(function FolderTile(props: FolderRowProps) {
  const { folder, index, rowIndex, isSelected, isCursor } = props;
  useLanguage();
  const marks = useMarks(folder?.path);
  if (folder === undefined) return <div className="tile tile--folder tile--skeleton" aria-hidden="true" />;
  return (
    <div
      {...rowRole}
      {...attributesOf(folder, index)}
      {...marks}
      className={`tile tile--folder folder-row ${isCursor ? 'is-cursor' : ''}`}
      aria-rowindex={rowIndex + 1}
      aria-selected={isSelected}
    >
      <span {...cellRole} className="folder-row__name">
        <Icon name="folder" />
        <FolderName folder={folder} />
        <span className="folder-row__count">{formatCount(folder.count)}</span>
      </span>
    </div>
  );
});

function FolderName({ folder }: { folder: FolderRow }) {
  const isRenaming = useBrowser(({ renaming }) => renaming === folder.path);
  if (isRenaming) return <RenameFolder folder={folder} />;
  return <bdi title={folder.path}>{folder.name}</bdi>;
}

/** Marks the drop target and the folder whose menu is open. */
function useMarks(path: string | undefined) {
  const isOver = useIsOver(path);
  const hasMenu = use(FolderOfMenu) === path;
  return { 'data-over': isOver || undefined, 'data-menu': hasMenu || undefined };
}

function attributesOf({ path, name, count }: FolderRow, index: number) {
  return {
    id: rowId(index),
    'data-row-index': index,
    'data-folder': path,
    'aria-label': formatList([name, texts.kind, commonTexts.objects({ count })]),
  };
}

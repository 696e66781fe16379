import { memo, type ReactNode } from 'react';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { detailTexts } from '../../../i18n/detail-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { isClassificationKnown } from '../../../../shared/domain/object.ts';
import { isUnverified } from '../../../../shared/domain/unverified.ts';
import { nameWithin } from '../../../../shared/domain/folder.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { useObjectProgress } from '../../../app/use-progress.ts';
import {
  formatAgo,
  formatMoment,
  formatBytes,
  formatCount,
  formatList,
  formatSize,
  formatTime,
} from '../../../../shared/i18n/format.ts';
import { Identifier } from '../../../ui/Identifier.tsx';
import type { IconName } from '../../../ui/icons.tsx';
import { Size } from '../../../ui/Size.tsx';
import { cellRole, rowRole } from '../../../ui/aria-roles.ts';
import { ClassBadge } from '../../../app/classification/ClassBadge.tsx';
import { figureColumns, momentWidthPx, type ShownColumn } from './columns.ts';
import { fileIcon } from '../../../app/file-kind.ts';
import { useBrowser } from '../state/browser-store.ts';
import { RenameObject } from './RenameField.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { isNew, rowState, rowStateText } from '../state/row-state.ts';
import { StateLabel } from '../state/StateLabel.tsx';

export type RowProps = {
  /** undefined: still loading. */
  row: ObjectRow | undefined;
  index: number;
  /** From 0, folders included. */
  rowIndex: number;
  columns: readonly ShownColumn[];
  separator: string;
  /** The open folder, which is omitted from names. */
  folder: string;
  nowMs: number;
  isSelected: boolean;
  isCursor: boolean;
};

export function rowId(index: number): string {
  return `object-row-${index}`;
}

/** The index of the row that an event came from; null: none. */
export function rowIndex(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-row-index]') : null;
  return row === null ? null : Number(row.dataset['rowIndex']);
}

/** Contents that other lists show instead of the default. */
type Other = {
  name?: string;
  icon?: IconName;
  cells?: Partial<Record<ShownColumn['column'], ReactNode>>;
  /** Below the cells, while the row is open. */
  below?: ReactNode;
};

/** A row. The grid has the focus and handles keys and presses for all rows. Memoized: a press or a key re-renders only two. */
export const ObjectRowView = memo(function ObjectRowView(props: RowProps & Other) {
  useLanguage();
  const {
    row,
    index,
    rowIndex,
    columns,
    separator,
    folder,
    nowMs,
    isSelected,
    isCursor,
    below = null,
  } = props;
  const progress = useObjectProgress(row);
  if (row === undefined) {
    return (
      <div className="object-row object-row--skeleton" aria-hidden="true">
        <span className="skeleton" />
      </div>
    );
  }
  // A row that represents all its versions shows their common name.
  const name = nameWithin(row.versions?.base ?? row.identifier, folder, separator);
  const state = rowState(row, nowMs, progress);
  const isToldOnly = state.tone === 'stored' && isUnverified(row, 'presence');
  const isGoing = row.state === 'deleting' || row.state === 'gone' || row.heldDeletion !== undefined;
  return (
    <div
      {...rowRole}
      id={rowId(index)}
      data-row-index={index}
      className={`object-row ${isCursor ? 'is-cursor' : ''} ${isGoing ? 'is-going' : ''} ${below === null ? '' : 'is-open'}`}
      aria-label={
        props.name ??
        rowName({ ...row, identifier: name }, isToldOnly ? detailTexts.told.presence : rowStateText(state))
      }
      aria-rowindex={rowIndex + 2}
      aria-selected={isSelected}
    >
      <span {...cellRole} className="object-row__name">
        <Name row={row} name={name} separator={separator} icon={props.icon ?? fileIcon(row)} />
      </span>
      {columns.map(({ column, widthPx }) => (
        <span
          key={column}
          {...cellRole}
          className={`object-row__${column} ${figureColumns.has(column) ? 'figure' : ''}`}
        >
          {props.cells?.[column] ?? cell(column, widthPx)}
        </span>
      ))}
      {below}
    </div>
  );

  function moment(atMs: number, words: string) {
    return <span title={formatMoment(atMs, nowMs)}>{words}</span>;
  }

  /** @param atMs when somebody else checked it, according to a colleague or an imported list */
  function notChecked(atMs: number | null) {
    const time = atMs === null ? null : formatMoment(atMs, nowMs);
    const by = row?.seenBy;
    const title =
      time === null
        ? undefined
        : by === undefined
          ? objectTexts.listSays({ time })
          : detailTexts.colleague.saysAt({ name: by, time });
    return (
      <span className="none" title={title}>
        {commonTexts.never}
      </span>
    );
  }

  function cell(column: ShownColumn['column'], widthPx: number) {
    if (row === undefined) return null;
    switch (column) {
      case 'storedBy':
        return <Storer row={row} />;
      case 'classification':
        if (row.classification !== null) return <ClassBadge value={row.classification} />;
        return isClassificationKnown(row) ? <span className="none">{commonTexts.serviceDefault}</span> : none;
      case 'size':
        return row.lengthBytes === null ? none : <Size {...formatBytes(row.lengthBytes)} />;
      case 'stored':
        if (row.storedAtMs === null) return none;
        return moment(
          row.storedAtMs,
          widthPx < momentWidthPx ? formatTime(row.storedAtMs, nowMs) : formatMoment(row.storedAtMs, nowMs),
        );
      case 'checked':
        if (isUnverified(row, 'presence') && row.state !== 'gone') return notChecked(row.checkedAtMs);
        if (row.checkedAtMs !== null) return moment(row.checkedAtMs, formatAgo(row.checkedAtMs, nowMs));
        return row.storedAtMs === null ? none : commonTexts.never;
      case 'state':
        if (isToldOnly)
          return (
            <span className="none" title={detailTexts.told.presence}>
              {detailTexts.told.presence}
            </span>
          );
        // Stored is the normal state: visible only while it is new, then only for screen readers.
        if (state.tone === 'stored' && !isNew(row, nowMs))
          return <span className="visually-hidden">{state.word}</span>;
        return <StateLabel state={state} heldObjectId={row.heldDeletion && row.id} />;
    }
  }
});

/** The name of an object, or the field in which it is renamed. */
function Name(props: { row: ObjectRow; name: string; separator: string; icon: IconName }) {
  const { row, name, separator, icon } = props;
  const isRenaming = useBrowser(({ renaming }) => renaming === row.id);
  if (!isRenaming)
    return (
      <Identifier
        identifier={name}
        whole={row.identifier}
        separator={separator}
        icon={icon}
        {...(row.versions !== undefined && { stack: formatCount(row.versions.count) })}
      />
    );
  return (
    <>
      <Icon name={icon} />
      <RenameObject row={row} />
    </>
  );
}

/** Who stored it, as far as the team or this computer knows. */
function Storer({ row: { storedBy, isOwnStored } }: { row: ObjectRow }) {
  if (storedBy !== undefined) return <bdi title={storedBy}>{storedBy}</bdi>;
  return isOwnStored === true ? commonTexts.you : none;
}

const none = <span className="none">–</span>;

/** The accessible name. @param state in words; null: none */
export function rowName(
  { identifier, classification, lengthBytes, versions }: ObjectRow,
  state: string | null,
): string {
  const size = lengthBytes === null ? null : formatSize(lengthBytes);
  const count = versions === undefined ? null : objectTexts.versions({ count: versions.count });
  return formatList([identifier, count, classification, size, state]);
}

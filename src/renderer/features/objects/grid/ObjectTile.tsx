import { memo } from 'react';
import { nameWithin, folderAbove } from '../../../../shared/domain/folder.ts';
import { formatCount, formatSize } from '../../../../shared/i18n/format.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { useObjectProgress } from '../../../app/use-progress.ts';
import { cellRole, rowRole } from '../../../ui/aria-roles.ts';
import { Identifier } from '../../../ui/Identifier.tsx';
import { Thumbnail } from '../preview/Thumbnail.tsx';
import { rowId, rowName, type RowProps } from './ObjectRowView.tsx';
import { rowState, rowStateText } from '../state/row-state.ts';
import { StateLabel } from '../state/StateLabel.tsx';
import './tiles.css';

/** A row of the list as a tile: its thumbnail, its name without folders, and its size or, unless it is stored, its state. */
export const ObjectTile = memo(function ObjectTile(props: RowProps) {
  const { row, index, rowIndex, separator, nowMs, isSelected, isCursor } = props;
  useLanguage();
  const moved = useObjectProgress(row);
  if (row === undefined) return <div className="tile tile--skeleton" aria-hidden="true" />;
  const whole = row.versions?.base ?? row.identifier;
  const name = nameWithin(whole, folderAbove(whole, separator), separator);
  const state = rowState(row, nowMs, moved);
  return (
    <div
      {...rowRole}
      id={rowId(index)}
      data-row-index={index}
      className={`tile ${isCursor ? 'is-cursor' : ''}`}
      aria-label={rowName({ ...row, identifier: whole }, rowStateText(state))}
      aria-rowindex={rowIndex + 1}
      aria-selected={isSelected}
    >
      <span {...cellRole} className="tile__cell">
        <Thumbnail row={row} />
        <Identifier
          identifier={name}
          whole={row.identifier}
          separator={separator}
          {...(row.versions !== undefined && { stack: formatCount(row.versions.count) })}
        />
        {state.tone === 'stored' && row.lengthBytes !== null ? (
          <span className="tile__size figures">{formatSize(row.lengthBytes)}</span>
        ) : (
          <StateLabel state={state} />
        )}
      </span>
    </div>
  );
});

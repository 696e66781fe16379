import { memo, useEffect, useLayoutEffect, useRef } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { useClient } from '../../../app/client.ts';
import { mayHaveThumbnail } from '../../../../shared/domain/preview.ts';
import { fileIcon } from '../../../app/file-kind.ts';
import { Icon } from '../../../ui/Icon.tsx';
import { useKeptThumbnail, wishForThumbnail } from '../preview/thumbnails.ts';
import { pageLimitMax } from '../../../../shared/domain/object.ts';
import { folderAbove, nameWithin } from '../../../../shared/domain/folder.ts';
import { formatCount, formatSize } from '../../../../shared/i18n/format.ts';
import { useLanguage } from '../../../app/use-language.ts';
import { useObjectProgress } from '../../../app/use-progress.ts';
import { cellRole, rowRole } from '../../../ui/aria-roles.ts';
import { Identifier } from '../../../ui/Identifier.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { RenameObject } from './RenameField.tsx';
import { rowState, rowStateText } from '../state/row-state.ts';
import { StateLabel } from '../state/StateLabel.tsx';
import type { Line, Lines } from './grid-lines.ts';
import type { GridSize } from './use-grid-scroll.ts';
import { rowId, rowName, type RowProps } from './ObjectRowView.tsx';
import './tiles.css';

/** Delay in ms, so that scrolling through the list loads nothing on the way. */
const settledAfterMs = 200;
/** Pictures narrower than a tile, in pixels, are not enlarged. */
const smallPx = 120;

/** A small picture of an object, or the beginning of its text; otherwise the icon of its kind. */
export function Thumbnail({ row }: { row: ObjectRow }) {
  const client = useClient();
  const { id, sha256, state } = row;
  const isShowable = state === 'stored' && mayHaveThumbnail(row.identifier);
  const kept = useKeptThumbnail(row);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isShowable) return undefined;
    let withdraw = () => {};
    const isInSight = () => place.current !== null && isVisible(place.current);
    const timer = setTimeout(
      () => (withdraw = wishForThumbnail({ client, object: { id, sha256 }, isInSight })),
      settledAfterMs,
    );
    return () => {
      clearTimeout(timer);
      withdraw();
    };
  }, [client, id, sha256, isShowable]);
  return (
    <span ref={place} className="tile__picture" aria-hidden="true">
      {kept?.kind === 'picture' && <Picture bitmap={kept.bitmap} />}
      {kept?.kind === 'text' && <pre dir="auto">{kept.text}</pre>}
      {kept === undefined && <Icon name={fileIcon(row)} size={24} />}
    </span>
  );
}

function isVisible(tile: HTMLElement): boolean {
  const { top, bottom } = tile.getBoundingClientRect();
  const list = tile.closest('[role="grid"]')?.getBoundingClientRect();
  return list !== undefined && top < list.bottom && bottom > list.top;
}

function Picture({ bitmap }: { bitmap: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0);
  }, [bitmap]);
  const { width, height } = bitmap;
  return <canvas ref={canvas} className={width < smallPx ? 'is-small' : ''} width={width} height={height} />;
}

/** In pixels: the gap between tiles, and the total padding at the sides. */
const gapPx = 8;
const besidePx = 24;
/** In pixels: minimum width of a tile, and its height including the gap below. See `tiles.css`. */
const objectPx = { width: 128, height: 168 };
const folderPx = { width: 176, height: 52 };

/** As many tiles side by side as fit; on a huge screen fewer and wider ones, so that a page of rows fills it. */
export function linesOfTiles(size: GridSize): Lines {
  return { ...lineOf(size, objectPx), folders: lineOf(size, folderPx) };
}

function lineOf({ widthPx, heightPx }: GridSize, tilePx: typeof objectPx): Line {
  const fitting = Math.floor((widthPx - besidePx + gapPx) / (tilePx.width + gapPx));
  // The first and the last line may be partly visible.
  const visibleLines = Math.ceil(heightPx / tilePx.height) + 1;
  const perLine = Math.max(1, Math.min(fitting, Math.floor(pageLimitMax / visibleLines)));
  return { perLine, linePx: tilePx.height };
}

/** A row of the list as a tile: its thumbnail, its name, the folder inside the one shown, and its size or, unless it is stored, its state. */
export const ObjectTile = memo(function ObjectTile(props: RowProps) {
  const { row, index, rowIndex, separator, folder, nowMs, isSelected, isCursor } = props;
  useLanguage();
  const progress = useObjectProgress(row);
  const isRenaming = useBrowser(({ renaming }) => renaming !== null && renaming === row?.id);
  if (row === undefined) return <div className="tile tile--skeleton" aria-hidden="true" />;
  const whole = row.versions?.base ?? row.identifier;
  const above = folderAbove(whole, separator);
  const name = nameWithin(whole, above, separator);
  // A list over several folders can show the same name twice.
  const inner = above === folder ? '' : nameWithin(above, folderAbove(above, separator), separator);
  const state = rowState(row, nowMs, progress);
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
        {isRenaming ? (
          <RenameObject row={row} />
        ) : (
          <Identifier
            identifier={name}
            whole={row.identifier}
            separator={separator}
            {...(row.versions !== undefined && { stack: formatCount(row.versions.count) })}
          />
        )}
        <span className="tile__facts">
          {inner !== '' && (
            <bdi className="tile__folder" title={above}>
              {inner}
            </bdi>
          )}
          {state.tone === 'stored' && row.lengthBytes !== null ? (
            <span className="tile__size figures">{formatSize(row.lengthBytes)}</span>
          ) : (
            <StateLabel state={state} />
          )}
        </span>
      </span>
    </div>
  );
});

import type { ComponentType, PointerEvent } from 'react';
import type { ObjectRow } from '../../../../shared/contract.ts';
import type { FolderRow, ObjectQuery } from '../../../../shared/domain/object.ts';
import type { Settings } from '../../../../shared/domain/settings.ts';
import type { GridColumns } from './columns.ts';
import type { FolderRowProps } from './FolderRowView.tsx';
import type { Intent } from './grid-keys.ts';
import type { HeaderProps } from './GridHeader.tsx';
import type { RowProps } from './ObjectRowView.tsx';
import type { ScrollMap } from './scroll-map.ts';

export type Point = { x: number; y: number };

export type GridProps = Pick<HeaderProps, 'onSort' | 'onColumnWidths'> & {
  /** The accessible name. */
  label: string;
  columns: GridColumns;
  Row: ComponentType<RowProps>;
  /** Several rows side by side, without column headings. */
  isTiled?: boolean;
  /** An expanded row, which is taller than the others. */
  open?: ScrollMap['open'];
  query: ObjectQuery;
  total: number;
  /** The folders above the rows, with negative indices up to -1. Omitted: none. */
  folders?: FolderRows;
  rowAt: (index: number) => ObjectRow | undefined;
  separator: string;
  settings: Pick<Settings, 'density' | 'hiddenColumns' | 'columnWidths'>;
  isBusy: boolean;
  /** Called when the visible rows change: `from` up to, not including, `to`, counted from the first folder. */
  onShow: (from: number, to: number) => void;
  onIntent: (intent: Intent) => void;
  /** Moves to the next row, starting after `from`, whose name begins with `typed`. */
  onSeek: (sought: { typed: string; from: number }) => void;
  /** Opens the focused row; omitted: the window's own command does. */
  onOpen?: () => void;
  /** Shows the focused row large; omitted: it cannot be shown. */
  onLook?: () => void;
  /** Goes to the parent folder; omitted: there is none. */
  onLeave?: () => void;
  onPress: (index: number, modifiers: { shift: boolean; ctrl: boolean }) => void;
  /** Called when a button goes down on a row. Omitted: rows cannot be dragged. */
  onGrab?: (index: number, event: PointerEvent) => void;
  /** Renames what alone is selected, in its row. Omitted: nothing is renamed here. */
  onRename?: () => void;
  /** Opens the menu of a row or folder, at a point of the window. */
  onMenu: (index: number, at: Point) => void;
};

type FolderRows = {
  count: number;
  at: (index: number) => FolderRow | undefined;
  Row: ComponentType<FolderRowProps>;
  onOpen: (path: string) => void;
};

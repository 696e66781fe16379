import { useEffect, useEffectEvent, useState, type PointerEvent as RowPointerEvent } from 'react';
import { create } from 'zustand';
import type { Selection } from '../../../../shared/domain/object.ts';
import { useClient, type Client } from '../../../app/client.ts';
import { folderAt, useDropFolder } from '../../../app/drop-folder.ts';
import { sayFailure } from '../../../app/say-failure.ts';
import { holdTakenOut } from '../../../app/taken-out.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';

export type DraggedRows = {
  /** Shown at the pointer. */
  label: string;
  count: number;
  selection: Selection;
  /** Whether they can be dropped on a folder. */
  canMove: boolean;
};

/** What is shown at the pointer; null: nothing is dragged. */
export const useRowDragLabel = create<{
  shown: { label: string; isFetching: boolean; x: number; y: number } | null;
}>()(() => ({ shown: null }));

/** A press that moves less drags nothing, in px. */
const slackPx = 5;

type Options = {
  /** The rows that a press on this row drags; null: none. */
  take: (index: number) => DraggedRows | null;
  move: (folder: string, rows: DraggedRows) => void;
};

/**
 * The page itself drags rows onto a folder, of the sidebar or of the path above the list. When they leave the window, the system drags
 * files instead: only then are copies made, and small objects fetched, while the button is held.
 * @returns to be called when a row is pressed
 */
export function useRowDrag({ take, move }: Options): (index: number, event: RowPointerEvent) => void {
  const client = useClient();
  const [pressed, setPressed] = useState<{ index: number; from: Point } | null>(null);
  const onTake = useEffectEvent(take);
  const onMove = useEffectEvent(move);
  useEffect(() => {
    if (pressed === null) return undefined;
    const stop = followPress(
      client,
      pressed.from,
      () => onTake(pressed.index),
      (folder, rows) => onMove(folder, rows),
    );
    return () => stop.abort();
  }, [client, pressed]);
  return (index, { button, pointerType, ctrlKey, clientX: x, clientY: y }) => {
    // Ctrl opens the menu on macOS; fingers scroll.
    const canDrag = button === 0 && !ctrlKey && pointerType !== 'touch';
    setPressed(canDrag ? { index, from: { x, y } } : null);
  };
}

type Point = { x: number; y: number };

/** @returns ends the drag when aborted */
function followPress(
  client: Client,
  from: Point,
  take: () => DraggedRows | null,
  move: Options['move'],
): AbortController {
  const stop = new AbortController();
  const { signal } = stop;
  let at = from;
  let rows: DraggedRows | null = null;
  let copies: { state: 'unasked' | 'asked' | 'failed' } | { state: 'ready'; id: string } = {
    state: 'unasked',
  };

  function pointTo({ clientX: x, clientY: y, buttons }: PointerEvent): void {
    // Released where the page was not told.
    if (buttons === 0) return stop.abort();
    at = { x, y };
    if (rows === null) {
      if (Math.hypot(x - from.x, y - from.y) < slackPx) return;
      rows = take();
      if (rows === null) return stop.abort();
    }
    goOn(rows);
  }

  function goOn(dragged: DraggedRows): void {
    if (isOutside(at) && copies.state === 'ready') return handOver(dragged, copies.id);
    if (isOutside(at) && copies.state === 'unasked') sayFailure(prepare(dragged));
    useDropFolder.setState({ folder: folderFor(dragged) });
    useRowDragLabel.setState({
      shown: { label: dragged.label, isFetching: copies.state === 'asked', ...at },
    });
  }

  const folderFor = ({ canMove }: DraggedRows) => (canMove ? folderAt(at) : null);

  async function prepare(dragged: DraggedRows): Promise<void> {
    copies = { state: 'asked' };
    try {
      const { selection, count } = dragged;
      copies = { state: 'ready', ...(await client.call('takeOut.prepare', { selection, count })) };
      if (signal.aborted && isOutside(at)) announce(objectTexts.takeOut.ready({ count }));
    } catch (cause) {
      copies = { state: 'failed' };
      throw cause;
    } finally {
      if (!signal.aborted) goOn(dragged);
    }
  }

  /** From here on the page is told nothing of the pointer, until the system's drag is over. */
  function handOver({ count, canMove, ...rows }: DraggedRows, id: string): void {
    stop.abort();
    const moveInto = (folder: string) => move(folder, { count, canMove, ...rows });
    holdTakenOut({ count, move: canMove ? moveInto : null });
    sayFailure(client.call('takeOut.start', { id }));
  }

  function release({ clientX: x, clientY: y }: PointerEvent): void {
    at = { x, y };
    stop.abort();
    if (rows === null) return;
    preventClick();
    const folder = folderFor(rows);
    if (folder !== null) move(folder, rows);
  }

  function escape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || rows === null) return;
    event.preventDefault();
    event.stopPropagation();
    stop.abort();
  }

  window.addEventListener('pointermove', pointTo, { signal });
  window.addEventListener('pointerup', release, { signal });
  window.addEventListener('pointercancel', () => stop.abort(), { signal });
  window.addEventListener('keydown', escape, { signal, capture: true });
  signal.addEventListener('abort', () => {
    if (rows === null) return;
    useRowDragLabel.setState({ shown: null });
    useDropFolder.setState({ folder: null });
  });
  return stop;
}

function isOutside({ x, y }: Point): boolean {
  return x < 0 || y < 0 || x >= window.innerWidth || y >= window.innerHeight;
}

/** The release that ends a drag is no click on what is under it. */
function preventClick(): void {
  const after = new AbortController();
  const options = { signal: after.signal, capture: true, once: true };
  window.addEventListener('click', (event) => event.stopPropagation(), options);
  // The click, if there is one, comes in the same task.
  setTimeout(() => after.abort());
}

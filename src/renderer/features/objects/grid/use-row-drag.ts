import { type PointerEvent as RowPointerEvent, useEffect, useEffectEvent, useState } from 'react';
import { create } from 'zustand';
import type { Selection } from '../../../../shared/domain/object.ts';
import { type Client, useClient } from '../../../app/client.ts';
import { folderAt, useDropFolder } from '../../../app/drops.ts';
import { sayFailure } from '../../../app/say-failure.ts';
import { holdTakenOut, useTakenOut } from '../../../app/taken-out.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { announce } from '../../../ui/announce.tsx';

/** Distance from a list's edge within which it scrolls, in px. */
const edgePx = 32;
/** Speed at the edge itself, in px per second. */
const fastest = 900;
/** Limit for slow frames, in ms, so that the list does not jump. */
const longestFrameMs = 50;

/**
 * Scrolls a list of folders during a drag near its upper or lower edge, as the browser does in native drags.
 * @param pointOf position of the pointer; null: outside the window
 * @param onScrolled called because another folder may be under the pointer
 */
function scrollAtEdges(
  pointOf: () => { x: number; y: number } | null,
  onScrolled: () => void,
  signal: AbortSignal,
): void {
  let lastMs = performance.now();
  function scroll(nowMs: number): void {
    if (signal.aborted) return;
    const frameMs = Math.min(nowMs - lastMs, longestFrameMs);
    lastMs = nowMs;
    const point = pointOf();
    const list = point && scrollerAt(point);
    if (list) {
      const before = list.scrollTop;
      list.scrollTop += Math.round((speedIn(list, point.y) * frameMs) / 1000);
      if (list.scrollTop !== before) onScrolled();
    }
    requestAnimationFrame(scroll);
  }
  requestAnimationFrame(scroll);
}

/** The scrollable list at this point, if it contains folders. */
function scrollerAt({ x, y }: { x: number; y: number }): Element | null {
  for (let at = document.elementFromPoint(x, y); at !== null; at = at.parentElement) {
    const isLonger = at.scrollHeight > at.clientHeight;
    if (isLonger && /auto|scroll/.test(getComputedStyle(at).overflowY))
      return at.querySelector('[data-folder]') ? at : null;
  }
  return null;
}

/** Px per second, rising towards the edge; negative: up. */
function speedIn(list: Element, y: number): number {
  const { top, bottom } = list.getBoundingClientRect();
  const depth = (distance: number) => Math.max(0, 1 - Math.max(0, distance) / edgePx);
  return fastest * (depth(bottom - y) - depth(y - top));
}

export type DraggedRows = {
  serviceId: string;
  /** Shown at the pointer. */
  label: string;
  count: number;
  selection: Selection;
  /** Whether they can be dropped on a folder. */
  canMove: boolean;
  /** Folders among them can't be dropped into themselves. Omitted: onto any folder. */
  canMoveInto?: (folder: string) => boolean;
};

/** What is shown at the pointer; null: nothing is dragged. */
export const useRowDragLabel = create<{
  shown: { rows: DraggedRows; isFetching: boolean; x: number; y: number } | null;
}>()(() => ({ shown: null }));

/** Movement in px before a press becomes a drag. */
const slackPx = 5;

/** Time in ms outside the window before files are copied or fetched: the pointer may only be passing the edge. */
const passingMs = 200;

type Options<Row> = {
  /** The rows that a press on this row drags; null: none. */
  take: (row: Row) => DraggedRows | null;
  move: (folder: string, rows: DraggedRows) => void;
};

/**
 * Inside the window, the page drags rows onto folders. Outside of it, the system drags files: only then are copies made and small
 * objects fetched, while the button is held.
 * @returns call when a row is pressed
 */
export function useRowDrag<Row>({ take, move }: Options<Row>): (row: Row, event: RowPointerEvent) => void {
  const client = useClient();
  // The row itself: another may have its index by the time the pointer moves.
  const [pressed, setPressed] = useState<{ row: Row; from: Point } | null>(null);
  const onTake = useEffectEvent(take);
  const onMove = useEffectEvent(move);
  useEffect(() => {
    if (pressed === null) return undefined;
    const stop = followPress(
      client,
      pressed.from,
      () => onTake(pressed.row),
      (folder, rows) => onMove(folder, rows),
    );
    return () => stop.abort();
  }, [client, pressed]);
  return (row, { button, pointerType, ctrlKey, clientX: x, clientY: y }) => {
    // Ctrl+click opens the menu on macOS, touch scrolls, and a drag that Electron starts follows only the mouse, not a pen.
    const canDrag = button === 0 && !ctrlKey && pointerType === 'mouse';
    setPressed(canDrag ? { row, from: { x, y } } : null);
  };
}

type Point = { x: number; y: number };

/** @returns abort it to end the drag */
function followPress(
  client: Client,
  from: Point,
  take: () => DraggedRows | null,
  move: Options<unknown>['move'],
): AbortController {
  const stop = new AbortController();
  const { signal } = stop;
  let at = from;
  let rows: DraggedRows | null = null;
  /** Another window has the focus, and may cover this one at the pointer. */
  let isBehind = false;
  let passing: number | undefined;
  let copies: { state: 'unasked' | 'asked' | 'failed' } | { state: 'ready'; id: string } = {
    state: 'unasked',
  };

  function pointTo({ clientX: x, clientY: y, buttons }: PointerEvent): void {
    // The release was outside the page, which got no event.
    if (buttons === 0) return stop.abort();
    at = { x, y };
    if (rows === null) {
      if (Math.hypot(x - from.x, y - from.y) < slackPx) return;
      const taken = take();
      if (taken === null) return stop.abort();
      rows = taken;
      scrollAtEdges(
        () => (isOutside() ? null : at),
        () => goOn(taken),
        signal,
      );
    }
    goOn(rows);
  }

  const isOutside = () =>
    isBehind || at.x < 0 || at.y < 0 || at.x >= window.innerWidth || at.y >= window.innerHeight;

  function goOn(dragged: DraggedRows): void {
    if (!isOutside()) {
      clearTimeout(passing);
      passing = undefined;
    } else if (copies.state === 'ready') return sayFailure(handOver(dragged, copies.id));
    else if (copies.state === 'unasked' && dragged.count > 0)
      passing ??= window.setTimeout(() => sayFailure(prepare(dragged)), passingMs);
    show(dragged);
  }

  function show(dragged: DraggedRows): void {
    useDropFolder.setState({ folder: folderFor(dragged) });
    useRowDragLabel.setState({ shown: { rows: dragged, isFetching: copies.state === 'asked', ...at } });
  }

  function folderFor({ canMove, canMoveInto }: DraggedRows): string | null {
    const folder = canMove && !isOutside() ? folderAt(at) : null;
    return folder === null || canMoveInto?.(folder) === false ? null : folder;
  }

  async function prepare(dragged: DraggedRows): Promise<void> {
    copies = { state: 'asked' };
    show(dragged);
    try {
      const { selection, count } = dragged;
      copies = { state: 'ready', ...(await client.call('takeOut.prepare', { selection, count })) };
      if (signal.aborted && isOutside()) announce(objectTexts.takeOut.ready({ count }));
    } catch (cause) {
      copies = { state: 'failed' };
      throw cause;
    } finally {
      if (!signal.aborted) goOn(dragged);
    }
  }

  /** Starts the system's drag, during which the page gets no pointer events. One that comes before main has answered means a release. */
  async function handOver(dragged: DraggedRows, id: string): Promise<void> {
    stop.abort();
    const { serviceId, count, canMove } = dragged;
    const moveInto = (folder: string) => move(folder, dragged);
    holdTakenOut({ serviceId, count, move: canMove ? moveInto : null });
    await client.call('takeOut.start', { id });
    if (useTakenOut.getState().isHeld) client.startDrag();
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

  function turn(isAway: boolean): void {
    isBehind = isAway;
    if (rows !== null) goOn(rows);
  }

  /** The right button must not open a menu during a drag. */
  function noMenu(event: MouseEvent): void {
    if (rows === null) return;
    event.preventDefault();
    event.stopPropagation();
  }

  window.addEventListener('pointermove', pointTo, { signal });
  window.addEventListener('pointerup', release, { signal });
  window.addEventListener('pointercancel', () => stop.abort(), { signal });
  window.addEventListener('keydown', escape, { signal, capture: true });
  window.addEventListener('contextmenu', noMenu, { signal, capture: true });
  window.addEventListener('blur', () => turn(true), { signal });
  window.addEventListener('focus', () => turn(false), { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(passing);
    if (rows === null) return;
    useRowDragLabel.setState({ shown: null });
    useDropFolder.setState({ folder: null });
  });
  return stop;
}

/** Suppresses the click that follows the release of a drag. */
function preventClick(): void {
  const after = new AbortController();
  const options = { signal: after.signal, capture: true, once: true };
  window.addEventListener('click', (event) => event.stopPropagation(), options);
  // A click, if any, is dispatched in the same task.
  setTimeout(() => after.abort());
}

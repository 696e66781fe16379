import { type PointerEvent as ReactPointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import type { Priority } from '../../../shared/domain/transfer.ts';
import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { useClient } from '../client.ts';
import { sayFailure } from '../say-failure.ts';
import type { PlacedGroup } from './list-layout.ts';

/** A waiting transfer; lists of these are in queue order. */
export type Queued = { id: number; priority: Priority };

/** Destination: before this transfer; null: last of its priority. `place` is 1-based. */
export type Target = { before: number | null; place: number };

/** Transfers of one priority that move together. */
export type Block = { priority: Priority; ids: ReadonlySet<number> };

/** The transfers that stay while a block moves; the block now stands before the `start`th of them. */
export function around(queued: readonly Queued[], { priority, ids }: Block) {
  const isMoved = (each: Queued) => each.priority === priority && ids.has(each.id);
  const first = queued.findIndex(isMoved);
  const others = queued.filter((each) => !isMoved(each));
  const isWhole = queued.slice(first, first + queued.length - others.length).every(isMoved);
  return { others, start: first, isWhole };
}

/**
 * Destination of a block dropped before the `at`th of the others, clamped to its own priority. null when the block or
 * the entry that would follow is not loaded, or when its priority has no other entries.
 * @param queued a contiguous part of the queue
 * @param endsHere whether it includes the end of the queue
 */
export function targetAt(
  queued: readonly Queued[],
  block: Block,
  at: number,
  endsHere: boolean,
): (Target & { at: number }) | null {
  const { others, start } = around(queued, block);
  if (start === -1) return null;
  const isMine = (each: Queued) => each.priority === block.priority;
  const first = others.findIndex(isMine);
  if (first === -1) return null;
  const last = others.findLastIndex(isMine);
  const kept = Math.min(Math.max(at, first), last + 1);
  const next = others[kept];
  if (next === undefined && !endsHere) return null;
  return { before: next !== undefined && isMine(next) ? next.id : null, place: kept + 1, at: kept };
}

/** Until main has reported a move, the next one by keyboard continues from its target. */
const settleMs = 600;

type Named = Queued & { identifier: string };
type Drag = { id: number; ids: ReadonlySet<number>; at: number };

const nothing: ReadonlySet<number> = new Set();

/**
 * Reorders waiting transfers by dragging and by keyboard, each within its priority. Moving a selected one moves all
 * selected ones of that priority.
 * @param waiting the loaded transfers of the group, without gaps; `first`: the index of the first, from 0
 * @param yOf pixels from the top of the list to a pointer
 * @param chosen the selected waiting transfers of a priority, loaded or not, in queue order
 */
export function useReorder(
  waiting: { placed: PlacedGroup<string>; first: number; rows: readonly Named[] } | null,
  yOf: (clientY: number) => number,
  selected: ReadonlySet<number>,
  chosen: (priority: Priority) => Promise<readonly number[]>,
) {
  const client = useClient();
  const [drag, setDrag] = useState<Drag | null>(null);
  const led = useRef<{ id: number; at: number; untilMs: number } | null>(null);
  const endsHere = waiting !== null && waiting.first + waiting.rows.length === waiting.placed.count;
  const rowOf = (id: number) => waiting?.rows.find((each) => each.id === id);
  const blockOf = ({ id, priority }: Named): Block => ({
    priority,
    ids: selected.has(id) ? selected : new Set([id]),
  });

  function put(id: number, at: number): void {
    const row = rowOf(id);
    if (waiting === null || row === undefined) return;
    const block = blockOf(row);
    const target = targetAt(waiting.rows, block, at, endsHere);
    if (target === null) return;
    led.current = { id, at: target.at, untilMs: Date.now() + settleMs };
    const { first, placed } = waiting;
    const move = async () => {
      const ids = block.ids.size === 1 ? [id] : [...(await chosen(row.priority))];
      await client.call('transfers.reorder', { ids, before: target.before });
      const what = ids.length === 1 ? row.identifier : texts.selected({ count: ids.length });
      announce(texts.moved({ what, place: first + target.place, of: placed.count }), 'polite', {
        isOnScreen: true,
      });
    };
    sayFailure(move());
  }

  function step(id: number, by: -1 | 1): void {
    const row = rowOf(id);
    if (waiting === null || row === undefined) return;
    const block = blockOf(row);
    const last = led.current;
    const { start, isWhole } = around(waiting.rows, block);
    const from = last !== null && last.id === id && last.untilMs > Date.now() ? last.at : start;
    const target = targetAt(waiting.rows, block, from + by, endsHere);
    if (target === null || (target.at === from && isWhole)) {
      const atEdge = (by === -1 ? texts.first : texts.last)[row.priority];
      announce(atEdge({ what: row.identifier }), 'polite', { isOnScreen: true });
    } else put(id, target.at);
  }

  /** The index among the other transfers at which it would be dropped. */
  function gapAt(id: number, clientY: number): number | null {
    const row = rowOf(id);
    if (waiting === null || row === undefined) return null;
    const { placed, first, rows } = waiting;
    const block = blockOf(row);
    const gap = Math.max(0, Math.round((yOf(clientY) - placed.begin) / placed.entryHeight) - first);
    const before = around(rows.slice(0, gap), block).others.length;
    return targetAt(rows, block, before, endsHere)?.at ?? null;
  }

  function changes(id: number, at: number): boolean {
    const row = rowOf(id);
    if (waiting === null || row === undefined) return false;
    const { start, isWhole } = around(waiting.rows, blockOf(row));
    return at !== start || !isWhole;
  }

  // A drag outlives renders and needs the latest list; entries do not re-render when it changes.
  const live = useRef({ put, gapAt, changes, step, start });
  useEffect(() => {
    live.current = { put, gapAt, changes, step, start };
  });
  const stable = useMemo(
    () => ({
      step: (id: number, by: -1 | 1) => live.current.step(id, by),
      drag: (id: number, event: ReactPointerEvent) => live.current.start(id, event),
    }),
    [],
  );
  const stopDrag = useRef<() => void>(() => {});
  useEffect(() => () => stopDrag.current(), []);

  function start(id: number, event: ReactPointerEvent): void {
    const row = rowOf(id);
    if (event.button !== 0 || waiting === null || row === undefined) return;
    event.preventDefault();
    stopDrag.current();
    const block = blockOf(row);
    setDrag({ id, ids: block.ids, at: around(waiting.rows, block).start });
    let hasMoved = false;
    const move = ({ clientY }: PointerEvent) => {
      const at = live.current.gapAt(id, clientY);
      hasMoved = true;
      if (at !== null) setDrag({ id, ids: block.ids, at });
    };
    const drop = ({ clientY }: PointerEvent) => {
      const at = live.current.gapAt(id, clientY);
      stop();
      if (hasMoved && at !== null && live.current.changes(id, at)) live.current.put(id, at);
    };
    const giveUp = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return;
      key.preventDefault();
      key.stopPropagation();
      stop();
    };
    const stop = () => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', drop);
      removeEventListener('pointercancel', stop);
      removeEventListener('keydown', giveUp, true);
      setDrag(null);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', drop);
    addEventListener('pointercancel', stop);
    addEventListener('keydown', giveUp, true);
    stopDrag.current = stop;
  }

  return { ...stable, dragged: drag?.ids ?? nothing, lineTop: lineTop(drag) };

  /** Pixels to the line that marks the drop position; null: it would not move. */
  function lineTop(at: Drag | null): number | null {
    const row = at === null ? undefined : rowOf(at.id);
    if (at === null || waiting === null || row === undefined || !changes(at.id, at.at)) return null;
    const { placed, first, rows } = waiting;
    const next = around(rows, blockOf(row)).others[at.at];
    const gap = next === undefined ? rows.length : rows.findIndex(({ id }) => id === next.id);
    return placed.begin + (first + gap) * placed.entryHeight;
  }
}

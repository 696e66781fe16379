import { useEffect, useMemo, useRef, useState, type PointerEvent as ReactPointerEvent } from 'react';
import { dockTexts as texts } from '../../i18n/dock-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { useClient } from '../client.ts';
import { sayFailure } from '../say-failure.ts';
import type { PlacedGroup } from './list-layout.ts';
import { targetAt, type Queued } from './order.ts';

/** Until main has told of a move, the next one by keyboard starts from where the last one led. */
const settleMs = 600;

type Named = Queued & { identifier: string };
type Drag = { id: number; at: number };

/**
 * Puts what waits into another order, by dragging and by keyboard; each within its priority.
 * @param waiting those of the group that are loaded, without holes; `first`: the place of the first of them, from 0
 * @param yOf pixels from the top of the list to a pointer
 */
export function useReorder(
  waiting: { placed: PlacedGroup<string>; first: number; rows: readonly Named[] } | null,
  yOf: (clientY: number) => number,
) {
  const client = useClient();
  const [drag, setDrag] = useState<Drag | null>(null);
  const led = useRef<{ id: number; at: number; untilMs: number } | null>(null);
  const endsHere = waiting !== null && waiting.first + waiting.rows.length === waiting.placed.count;

  function put(id: number, at: number): void {
    const row = waiting?.rows.find((each) => each.id === id);
    if (waiting === null || row === undefined) return;
    const target = targetAt(waiting.rows, id, at, endsHere);
    if (target === null) return;
    led.current = { id, at: target.at, untilMs: Date.now() + settleMs };
    const moved = client.call('transfers.move', { ids: [id], before: target.before });
    const said = texts.moved(row.identifier, waiting.first + target.place, waiting.placed.count);
    sayFailure(moved.then(() => announce(said, 'polite', { isOnScreen: true })));
  }

  function step(id: number, by: -1 | 1): void {
    const from = waiting?.rows.findIndex((each) => each.id === id) ?? -1;
    const row = waiting?.rows[from];
    if (waiting === null || row === undefined) return;
    const last = led.current;
    const start = last !== null && last.id === id && last.untilMs > Date.now() ? last.at : from;
    const target = targetAt(waiting.rows, id, start + by, endsHere);
    if (target === null || target.at === start) {
      const atEdge = by === -1 ? texts.firstOfPriority : texts.lastOfPriority;
      announce(atEdge(row.identifier, row.priority), 'polite', { isOnScreen: true });
    } else put(id, target.at);
  }

  /** Where it would come to stand, among the others. */
  function gapAt(id: number, clientY: number): number | null {
    if (waiting === null) return null;
    const { placed, first, rows } = waiting;
    const from = rows.findIndex((each) => each.id === id);
    const gap = Math.round((yOf(clientY) - placed.begin) / placed.entryHeight) - first;
    return targetAt(rows, id, gap > from ? gap - 1 : gap, endsHere)?.at ?? null;
  }

  // A drag lives longer than a render and meets the latest list; entries do not render because it changed.
  const live = useRef({ put, gapAt, step, start });
  useEffect(() => {
    live.current = { put, gapAt, step, start };
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
    if (event.button !== 0) return;
    event.preventDefault();
    stopDrag.current();
    const from = waiting?.rows.findIndex((each) => each.id === id) ?? -1;
    setDrag({ id, at: from });
    const move = ({ clientY }: PointerEvent) => {
      const at = live.current.gapAt(id, clientY);
      if (at !== null) setDrag({ id, at });
    };
    const drop = ({ clientY }: PointerEvent) => {
      const at = live.current.gapAt(id, clientY);
      stop();
      if (at !== null && at !== from) live.current.put(id, at);
    };
    const giveUp = (key: KeyboardEvent) => {
      if (key.key !== 'Escape') return;
      key.preventDefault();
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

  return { ...stable, draggedId: drag?.id ?? null, lineTop: lineTop(drag) };

  /** Pixels to the line that shows where it would go; null: nowhere else. */
  function lineTop(dragged: Drag | null): number | null {
    if (dragged === null || waiting === null) return null;
    const { placed, first, rows } = waiting;
    const from = rows.findIndex(({ id }) => id === dragged.id);
    if (from === -1 || dragged.at === from) return null;
    const gap = dragged.at > from ? dragged.at + 1 : dragged.at;
    return placed.begin + (first + gap) * placed.entryHeight;
  }
}

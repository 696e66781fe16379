import { useEffect, useEffectEvent, useLayoutEffect, useRef, type RefObject } from 'react';
import { isFocusLost } from '../../ui/focus.ts';

/**
 * Hands focus on when the focused element leaves a list: from a button of an entry to that entry, from another button
 * to its replacement (same `data-seat`), from an entry to the nearest one. An entry that was scrolled away gets the focus
 * back when it returns, unless the focus has moved on or a key was pressed meanwhile: then the person meant the heir.
 */
export function useFocusHeir(list: RefObject<HTMLElement | null>): void {
  const held = useRef<Held | null>(null);
  /** The name of the entry that left, and the element that took its focus. */
  const left = useRef<{ name: string; heir: HTMLElement } | null>(null);

  const pass = useEffectEvent(() => {
    if (held.current === null || list.current === null) return;
    const { element, entry } = held.current;
    const from = left.current?.heir === element ? left.current.name : entry?.dataset['entry'];
    if (element.isConnected) {
      Object.assign(held.current, placeInCause(entry));
      const isHeir = left.current?.heir === element && document.activeElement === element;
      if (isHeir) entryNamed(list.current, from)?.focus({ preventScroll: true });
      return;
    }
    if (!isFocusLost()) {
      held.current = null;
      return;
    }
    const heir = heirOf(list.current, held.current);
    left.current = heir !== null && from !== undefined ? { name: from, heir } : null;
    // Do not scroll back to an entry that the person has scrolled away from.
    heir?.focus({ preventScroll: true });
  });

  useEffect(() => {
    const box = list.current;
    const hold = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      if (left.current?.heir !== target) left.current = null;
      const entry = target.closest<HTMLElement>('[data-entry]');
      held.current = { element: target, entry, ...placeInCause(entry) };
    };
    const stay = () => {
      left.current = null;
    };
    box?.addEventListener('focusin', hold);
    box?.addEventListener('keydown', stay, true);
    // The content of an expanded entry renders without the list.
    const observer = new MutationObserver(() => pass());
    if (box) observer.observe(box, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      box?.removeEventListener('focusin', hold);
      box?.removeEventListener('keydown', stay, true);
    };
  }, [list]);

  // Runs after every render: the heir may appear later than the element leaves.
  useLayoutEffect(() => pass());
}

type Held = {
  element: HTMLElement;
  entry: HTMLElement | null;
  /** The unfolded cause that shows the entry, and its index there; null: the list itself shows it. */
  cause: HTMLElement | null;
  index: number;
};

function placeInCause(entry: HTMLElement | null): Pick<Held, 'cause' | 'index'> {
  const cause = entry?.parentElement?.closest<HTMLElement>('[data-entry]') ?? null;
  return { cause, index: cause === null || entry === null ? 0 : entriesOf(cause).indexOf(entry) };
}

function heirOf(box: HTMLElement, { element, entry, cause, index }: Held): HTMLElement | null {
  if (entry === null) {
    const seat = element.dataset['seat'];
    return seat === undefined ? null : box.querySelector<HTMLElement>(`[data-seat="${seat}"]`);
  }
  if (entry.isConnected) return entry;
  if (cause?.isConnected) {
    const rest = entriesOf(cause);
    return rest[Math.min(index, rest.length - 1)] ?? cause;
  }
  // An entry in a cause has the cause's position.
  const { top } = (cause ?? entry).style;
  const wayTo = (other: HTMLElement) => Math.abs(parseFloat(other.style.top) - parseFloat(top));
  const others = entriesOf(box).filter((other) => placeInCause(other).cause === null);
  return others.reduce<HTMLElement | null>(
    (nearest, other) => (nearest === null || wayTo(other) < wayTo(nearest) ? other : nearest),
    null,
  );
}

function entriesOf(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>('[data-entry]')];
}

function entryNamed(box: HTMLElement, name: string | undefined): HTMLElement | undefined {
  return entriesOf(box).find(({ dataset }) => dataset['entry'] === name);
}

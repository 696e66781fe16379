import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { isFocusLost } from '../../ui/lost-focus.ts';

/**
 * Hands focus on when the focused element leaves a list: from a button of an entry to that entry, from another button
 * to its replacement (same `data-seat`), from an entry to the nearest one.
 */
export function useFocusHeir(list: RefObject<HTMLElement | null>): void {
  const held = useRef<{ element: HTMLElement; entry: HTMLElement | null } | null>(null);

  useEffect(() => {
    const box = list.current;
    const hold = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      held.current = { element: target, entry: target.closest<HTMLElement>('[data-entry]') };
    };
    box?.addEventListener('focusin', hold);
    return () => box?.removeEventListener('focusin', hold);
  }, [list]);

  // Runs after every render: the heir may appear later than the element leaves.
  useLayoutEffect(() => {
    if (held.current === null || list.current === null || held.current.element.isConnected) return;
    const { element, entry } = held.current;
    // Who scrolls away from the entry with the focus is not brought back.
    if (isFocusLost()) heirOf(list.current, element, entry)?.focus({ preventScroll: true });
    else held.current = null;
  });
}

function heirOf(box: HTMLElement, element: HTMLElement, entry: HTMLElement | null): HTMLElement | null {
  if (entry === null) {
    const seat = element.dataset['seat'];
    return seat === undefined ? null : box.querySelector<HTMLElement>(`[data-seat="${seat}"]`);
  }
  if (entry.isConnected) return entry;
  const wayTo = (other: HTMLElement) => Math.abs(parseFloat(other.style.top) - parseFloat(entry.style.top));
  const others = [...box.querySelectorAll<HTMLElement>('[data-entry]')];
  return others.reduce<HTMLElement | null>(
    (nearest, other) => (nearest === null || wayTo(other) < wayTo(nearest) ? other : nearest),
    null,
  );
}

import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/**
 * What leaves a list while it has the focus hands it on: a button of an entry to the entry, a button to the one that
 * takes its place (they share the name of it in `data-seat`), an entry to the one that stands nearest now.
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

  // With every change of the list: it may come later than what left.
  useLayoutEffect(() => {
    if (held.current === null || list.current === null || held.current.element.isConnected) return;
    const { element, entry } = held.current;
    if (document.activeElement === document.body) heirOf(list.current, element, entry)?.focus();
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

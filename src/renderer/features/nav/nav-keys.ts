import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';

/** Key of the link with `tabIndex` 0; null: every link is a Tab stop of its own. A store, so that only links that change are rendered. */
type Reach = StoreApi<{ key: string | null }>;

export const createReach = (key: string | null): Reach => createStore(() => ({ key }));

export const ReachContext = createContext(createReach(null));

/**
 * Roving tabindex: Tab reaches the link that was last focused or became the current place, or else the first one. The current place may
 * have no link, for example a folder inside a collapsed one. If the focused link unmounts, the focus moves to the next or previous link.
 */
export function useReach(
  itemKey: string,
  isCurrent: boolean,
): { ref: RefObject<HTMLAnchorElement | null>; tabIndex: 0 | -1 } {
  const ref = useRef<HTMLAnchorElement>(null);
  const reach = useContext(ReachContext);
  const isReached = useStore(reach, ({ key }) => key === null || key === itemKey);
  useEffect(() => {
    if (!isCurrent) return;
    reachTo(reach, itemKey);
    ref.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent, itemKey, reach]);
  useEffect(() => () => leave(reach, itemKey), [itemKey, reach]);
  useLayoutEffect(() => {
    const link = ref.current;
    // A native listener: React's onFocus misses focus that moves during a commit.
    const onFocus = () => reachTo(reach, itemKey);
    link?.addEventListener('focus', onFocus);
    return () => link?.removeEventListener('focus', onFocus);
  }, [itemKey, reach]);
  useLayoutEffect(() => {
    const link = ref.current;
    return () => {
      if (link === null || link !== document.activeElement) return;
      const links = linksOf(link.closest('nav'));
      const at = links.indexOf(link);
      (links[at + 1] ?? links[at - 1])?.focus();
    };
  }, []);
  return { ref, tabIndex: isReached ? 0 : -1 };
}

function reachTo(reach: Reach, key: string): void {
  if (reach.getState().key !== null) reach.setState({ key });
}

function leave(reach: Reach, key: string): void {
  if (reach.getState().key === key) reach.setState(reach.getInitialState());
}

/** Called after a link was followed. */
export const Opened = createContext<() => void>(() => undefined);

/** Moves between the links with Up, Down, Home and End. Left and Right expand and collapse folders. */
export function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const links = linksOf(event.currentTarget.closest('nav'));
  const at = links.indexOf(event.currentTarget);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: links.length - 1 }[event.key];
  const link = to === undefined ? undefined : links[to];
  if (link === undefined) return;
  event.preventDefault();
  link.focus();
}

function linksOf(nav: HTMLElement | null): HTMLElement[] {
  return [...(nav?.querySelectorAll<HTMLElement>('.nav-item') ?? [])];
}

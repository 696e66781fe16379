import { createContext, useContext, type KeyboardEvent } from 'react';

type Reach = {
  key: string | null;
  /** Each is a stop of the Tab key. */
  isFree?: boolean;
  reach: (key: string) => void;
};

/** The link that had the focus last, by its key. */
export const ReachContext = createContext<Reach>({ key: null, reach: () => undefined });

/** One stop of the Tab key for all the links: the one that had the focus last, or else the place that is shown. */
export function useReach(itemKey: string, isCurrent: boolean): { tabIndex: 0 | -1; onFocus: () => void } {
  const { key, isFree = false, reach } = useContext(ReachContext);
  const isReached = isFree || (key === null ? isCurrent : key === itemKey);
  return { tabIndex: isReached ? 0 : -1, onFocus: () => reach(itemKey) };
}

/** Called when one of the links was followed. */
export const Opened = createContext<() => void>(() => undefined);

/** Up, down, Home and End between the links. Left and right belong to folders. */
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

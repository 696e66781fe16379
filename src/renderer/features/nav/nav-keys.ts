import { createContext, useContext, type KeyboardEvent } from 'react';

type Reach = { key: string | null; reach: (key: string) => void };

/** The link that had the focus last, by its key. */
export const ReachContext = createContext<Reach>({ key: null, reach: () => undefined });

/** One stop of the Tab key for all the links: the one that had the focus last, or else the place that is shown. */
export function useReach(itemKey: string, isCurrent: boolean): { tabIndex: 0 | -1; onFocus: () => void } {
  const { key, reach } = useContext(ReachContext);
  return { tabIndex: (key === null ? isCurrent : key === itemKey) ? 0 : -1, onFocus: () => reach(itemKey) };
}

/** Up, down, Home and End between the links. Left and right belong to folders. */
export function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const links = [...(event.currentTarget.closest('nav')?.querySelectorAll<HTMLElement>('.nav-item') ?? [])];
  const at = links.indexOf(event.currentTarget);
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: links.length - 1 }[event.key];
  const link = to === undefined ? undefined : links[to];
  if (link === undefined) return;
  event.preventDefault();
  link.focus();
}

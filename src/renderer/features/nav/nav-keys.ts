import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type RefObject,
} from 'react';

type Reach = {
  /** Of the link that Tab reaches. */
  key: string;
  /** Reachable with Tab on its own. */
  isFree?: boolean;
  reach: (key: string) => void;
  /** The link is gone. */
  leave: (key: string) => void;
};

export const ReachContext = createContext<Reach>({
  key: '',
  reach: () => undefined,
  leave: () => undefined,
});

/**
 * All links are one Tab stop: the one that last had the focus or became the current place, or else the first. The current place may have no
 * link, such as a folder of one that is collapsed. When a link with the focus goes, the next one has it, or else the one before it.
 */
export function useReach(
  itemKey: string,
  isCurrent: boolean,
): { ref: RefObject<HTMLAnchorElement | null>; tabIndex: 0 | -1 } {
  const ref = useRef<HTMLAnchorElement>(null);
  const { key, isFree = false, reach, leave } = useContext(ReachContext);
  useEffect(() => {
    if (isCurrent) reach(itemKey);
  }, [isCurrent, itemKey, reach]);
  useEffect(() => () => leave(itemKey), [itemKey, leave]);
  useLayoutEffect(() => {
    const link = ref.current;
    // Not React's: it hears nothing of a focus that moves while it changes the page.
    const onFocus = () => reach(itemKey);
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
  return { ref, tabIndex: isFree || key === itemKey ? 0 : -1 };
}

/** Called when a link was followed. */
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

import { act, renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { objectQuerySchema, pageLimitMax } from '../../../../shared/domain/object.ts';
import { useBrowser } from '../state/browser-store.ts';
import { linesOfTiles } from './ObjectTile.tsx';
import { useGridScroll } from './use-grid-scroll.ts';

const size = vi.hoisted(() => ({ widthPx: 0, heightPx: 0 }));
vi.mock('./use-size.ts', () => ({ useSize: () => ({ ref: () => {}, element: { current: null }, ...size }) }));

const query = objectQuerySchema.parse({
  serviceId: 'p',
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'stored', direction: 'ascending' },
});
const total = 10_000;
const rowLine = { perLine: 1, linePx: 32 };

beforeEach(() => {
  Object.assign(size, { widthPx: 700, heightPx: 800 });
  useBrowser.setState({ query, cursor: 0, cursorId: 1 });
});

function open(startsTiled: boolean) {
  const shown: { from: number; to: number }[] = [];
  const onShow = (from: number, to: number) => void shown.push({ from, to });
  let isTiled = startsTiled;
  const view = renderHook(() =>
    useGridScroll({
      query,
      total,
      linesFor: (found) => (isTiled ? linesOfTiles(found) : { ...rowLine, folders: rowLine }),
      headPx: isTiled ? 0 : 28,
      open: null,
      onShow,
    }),
  );
  return {
    shown,
    list: () => view.result.current,
    toggle: () => {
      isTiled = !isTiled;
      view.rerender();
    },
    resize: (changes: Partial<typeof size>) => {
      Object.assign(size, changes);
      view.rerender();
    },
    goTo: (cursor: number) => act(() => useBrowser.setState({ cursor, cursorId: cursor + 1 })),
    scrollTo: (topPx: number) => act(() => view.result.current.onScroll(topPx)),
  };
}

describe('scrolling a list', () => {
  it.each([false, true])(
    'keeps the focused row visible when the view changes (tiles at first: %s)',
    (tiled) => {
      const { list, toggle, goTo, shown } = open(tiled);
      goTo(5000);
      shown.length = 0;
      for (let time = 0; time < 2; time++) {
        toggle();
        expect(list().from).toBeLessThanOrEqual(5000);
        expect(list().to).toBeGreaterThan(5000);
      }
      // Never requests rows elsewhere in between.
      for (const { from, to } of shown) expect(from <= 5000 && to > 5000).toBe(true);
    },
  );

  it('keeps the focused row visible when the window gets smaller', () => {
    const { list, resize, goTo } = open(true);
    goTo(5004);
    expect(list().to).toBeLessThanOrEqual(5010);
    resize({ widthPx: 1100, heightPx: 300 });
    expect(list().from).toBeLessThanOrEqual(5004);
    expect(list().to).toBeGreaterThan(5004);
    resize({ heightPx: 180 });
    expect(list().from).toBeLessThanOrEqual(5004);
    expect(list().to).toBeGreaterThan(5004);
  });

  it('stays where a person has scrolled to, however many tiles are side by side', () => {
    const { list, resize, toggle, scrollTo } = open(true);
    scrollTo(168 * 500);
    const { from } = list();
    expect(from).toBe(2495);
    for (let time = 0; time < 20; time++) {
      for (const widthPx of [840, 980, 1100, 980, 840, 700]) {
        resize({ widthPx });
        expect(Math.abs(list().from - from)).toBeLessThan(10);
      }
    }
    toggle();
    expect(Math.abs(list().from - from)).toBeLessThan(10);
  });

  it('stays at the very top', () => {
    const { list, resize, toggle } = open(true);
    resize({ widthPx: 1100 });
    toggle();
    expect(list()).toMatchObject({ from: 0, offsetPx: 4 });
  });

  it('shows no more tiles than a page has', () => {
    const { list, resize, scrollTo } = open(true);
    for (const times of [1, 2]) {
      resize({ widthPx: 3840 * times, heightPx: 2160 * times });
      scrollTo(168 * 100 + 30);
      expect(list().to - list().from).toBeLessThanOrEqual(pageLimitMax);
    }
  });
});

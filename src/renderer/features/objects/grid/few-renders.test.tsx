import { act, cleanup, screen } from '@testing-library/react';
import { memo } from 'react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { settingsDefault } from '../../../../shared/domain/settings.ts';
import { renderInApp, testObject, testTransfer } from '../../../../../test-support/renderer/testing.tsx';
import { rowRole } from '../../../ui/aria-roles.ts';
import { standOn, useBrowser } from '../state/browser-store.ts';
import { selectIds } from '../state/selection.ts';
import { objectColumns } from './columns.ts';
import { ObjectGrid } from './ObjectGrid.tsx';
import { rowId, type RowProps } from './ObjectRowView.tsx';

beforeEach(() => {
  useBrowser.setState(useBrowser.getInitialState(), true);
  // jsdom has no layout. Ten rows below the column headings.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(348);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  vi.useFakeTimers({ now: 0, toFake: ['Date', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
});

const query: ObjectQuery = {
  serviceId: 'p1',
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'stored', direction: 'descending' },
};
const rowAt = (index: number): ObjectRow => rows[index] ?? testObject;
const rows = Array.from({ length: 10 }, (_, index) => ({ ...testObject, id: index + 1 }));

function open(rowAt: (index: number) => ObjectRow) {
  const drawn: number[] = [];
  const Row = memo(function Row({ index, isCursor, isSelected }: RowProps) {
    drawn.push(index);
    return <div {...rowRole} id={rowId(index)} aria-current={isCursor} aria-selected={isSelected} />;
  });
  const nothing = () => undefined;
  renderInApp(
    <ObjectGrid
      label="Objects"
      columns={objectColumns}
      Row={Row}
      query={query}
      total={10}
      rowAt={rowAt}
      separator="/"
      settings={settingsDefault}
      isBusy={false}
      onShow={nothing}
      onSort={nothing}
      onIntent={nothing}
      onSeek={nothing}
      onPress={nothing}
      onMenu={nothing}
    />,
  );
  /** Returns the rows that render during a change. */
  return function drawnBy(change: () => void): number[] {
    drawn.length = 0;
    act(change);
    return drawn.toSorted((one, other) => one - other);
  };
}

it('renders only the rows that change', async () => {
  const drawnBy = open(rowAt);
  await screen.findByRole('grid');
  expect(drawnBy(() => standOn(4, 5))).toEqual([0, 4]);
  expect(drawnBy(() => useBrowser.setState({ selection: selectIds([5]) }))).toEqual([4]);
  expect(drawnBy(() => useBrowser.setState({ isHeld: false, total: 10 }))).toEqual([]);
});

it('re-renders rows each second only while one of them counts seconds', async () => {
  const drawnBy = open(rowAt);
  await screen.findByRole('grid');
  expect(drawnBy(() => vi.advanceTimersByTime(9_000))).toEqual([]);
  expect(drawnBy(() => vi.advanceTimersByTime(1_000))).toHaveLength(10);
  cleanup();
  const transfer = { ...testTransfer, state: 'waiting', waitingFor: 'retry', retryAtMs: 60_000 } as const;
  const alsoWaiting = (index: number) => (index === 3 ? { ...rowAt(index), transfer } : rowAt(index));
  const drawnBeside = open(alsoWaiting);
  await screen.findByRole('grid');
  expect(drawnBeside(() => vi.advanceTimersByTime(1_000))).toContain(3);
});

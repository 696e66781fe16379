import { act, screen } from '@testing-library/react';
import { memo } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ObjectQuery } from '../../../../shared/domain/object.ts';
import { settingsDefault } from '../../../../shared/domain/settings.ts';
import { renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { rowRole } from '../../../ui/aria-roles.ts';
import { standOn, useBrowser } from '../browser-store.ts';
import { selectIds } from '../selection/selection.ts';
import { objectColumns } from './columns.ts';
import { ObjectGrid } from './ObjectGrid.tsx';
import { rowId, type RowProps } from './ObjectRowView.tsx';

beforeEach(() => {
  useBrowser.setState(useBrowser.getInitialState(), true);
  // jsdom has no layout. Ten rows below the column headings.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(348);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
  // Times are drawn anew each second.
  vi.spyOn(Date, 'now').mockReturnValue(0);
});

const query: ObjectQuery = {
  serviceId: 'p1',
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'stored', direction: 'descending' },
};
const rows = Array.from({ length: 10 }, (_, index) => ({ ...testObject, id: index + 1 }));

it('draws only the rows that change', async () => {
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
      total={rows.length}
      rowAt={(index) => rows[index]}
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
  await screen.findByRole('grid');
  expect(new Set(drawn).size).toBe(10);
  drawn.length = 0;
  act(() => standOn(4, 5));
  expect(drawn.toSorted((one, other) => one - other)).toEqual([0, 4]);
  drawn.length = 0;
  act(() => useBrowser.setState({ selection: selectIds([5]) }));
  expect(drawn).toEqual([4]);
  drawn.length = 0;
  act(() => useBrowser.setState({ isHeld: false, total: 10 }));
  expect(drawn).toEqual([]);
});

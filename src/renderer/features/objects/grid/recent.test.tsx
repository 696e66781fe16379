import { act, screen, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { usePlace } from '../../../app/place.ts';
import { expectAccessible, renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { ObjectsView } from '../ObjectsView.tsx';
import { recentColumns } from './RecentRow.tsx';

const minuteMs = 60_000;

beforeEach(() => {
  usePlace.setState({ ...usePlace.getInitialState(), place: { kind: 'recent' } }, true);
  useBrowser.setState(useBrowser.getInitialState(), true);
  // jsdom has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(668);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
});

function renderRecent(rows: ObjectRow[]) {
  return renderInApp(<ObjectsView />, {
    'objects.page': () => ({ revision: 1, total: rows.length, totalBytes: 0, offset: 0, rows }),
  });
}

it('shows when each object was last used, the newest use first', async () => {
  const usedAtMs = Date.now() - 5.5 * minuteMs;
  const { main, container } = renderRecent([
    { ...testObject, id: 1, identifier: 'plan.pdf', storedAtMs: Date.UTC(2020, 1, 1), usedAtMs },
  ]);
  const row = await screen.findByRole('row', { name: /^plan\.pdf/ });
  expect(screen.getByRole('heading', { name: 'Recent' })).toBeTruthy();
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads).toContain('Last used');
  expect(heads).not.toContain('Date stored');
  expect(within(row).getByText('5 min ago')).toBeTruthy();
  expect(main.calls.findLast(({ name }) => name === 'objects.page')?.input).toMatchObject({
    query: { place: { kind: 'recent' }, sort: { column: 'stored', direction: 'descending' } },
  });
  await expectAccessible(container);
});

it('sorts by name without changing the order of other places', async () => {
  const { user } = renderRecent([{ ...testObject, id: 1, identifier: 'plan.pdf', usedAtMs: Date.now() }]);
  await screen.findByRole('row', { name: /^plan\.pdf/ });
  await user.click(screen.getByRole('button', { name: 'Name' }));
  const { sorts } = usePlace.getState();
  expect(sorts.recent).toEqual({ column: 'identifier', direction: 'ascending' });
  expect(sorts.objects).toEqual({ column: 'stored', direction: 'descending' });
});

it('a narrow list keeps the last use, even if the date stored is hidden elsewhere', () => {
  const fit = (gridPx: number) =>
    recentColumns.fit({ hiddenColumns: ['stored'], columnWidths: {} }, gridPx).map(({ column }) => column);
  expect(fit(700)).toContain('stored');
  expect(fit(300)).toEqual(['classification', 'stored', 'state']);
});

it('explains itself while empty', async () => {
  renderRecent([]);
  expect(await screen.findByText(/you upload, download or open on this computer/)).toBeTruthy();
  act(() => usePlace.setState({ search: 'plan' }));
  expect(await screen.findByText('No objects match your search.')).toBeTruthy();
});

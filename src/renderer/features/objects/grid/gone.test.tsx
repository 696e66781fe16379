import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { factBits } from '../../../../shared/domain/unverified.ts';
import { usePlace } from '../../../app/place.ts';
import {
  expectAccessible,
  renderInApp,
  testObject,
  type Answers,
} from '../../../../../test-support/renderer/testing.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { DetailsTab } from '../details/DetailsTab.tsx';
import { goneColumns } from './columns.ts';
import { ObjectsView } from '../ObjectsView.tsx';
import { selectIds } from '../state/selection.ts';

const goneAtMs = Date.UTC(2025, 6, 3, 12);
const frozen = { kind: 'frozen' as const, ticket: '5f0c1a52-5a0e-4c8e-9d57-0f7d3a1b2c3d' };

const object: ObjectRow = {
  ...testObject,
  id: 7,
  identifier: 'old/plan.pdf',
  state: 'gone',
  lengthBytes: 20_000,
  classification: 'Internal',
  storedAtMs: goneAtMs - 1000,
  checkedAtMs: goneAtMs,
};

beforeEach(() => {
  usePlace.setState({ ...usePlace.getInitialState(), place: { kind: 'gone' } }, true);
  useBrowser.setState(useBrowser.getInitialState(), true);
  // jsdom has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(668);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
});

async function renderView(listed = object, answers: Answers = {}) {
  let rows = [listed];
  const app = renderInApp(<ObjectsView />, {
    'objects.page': ({ query }) => {
      const found = query.place.kind === 'gone' ? rows : [];
      return { revision: 1, total: found.length, totalBytes: 0, offset: 0, rows: found };
    },
    'objects.freeze': () => ({ selection: frozen }),
    'objects.summarize': () => ({ count: 1204, totalBytes: 1, unknownLengths: 0 }),
    'objects.forget': () => {
      rows = [];
      return { forgotten: 1204, removal: null };
    },
    ...answers,
  });
  await screen.findByRole('row', { name: /^old\/plan\.pdf/ });
  return app;
}

it('the list of gone objects shows deletion dates, latest first', async () => {
  const { main } = await renderView();
  expect(screen.getByText('deleted from the service')).toBeTruthy();
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(heads).toEqual(['Name', 'Classification', 'Size', 'Date stored', 'Deleted']);
  expect(within(screen.getByRole('row', { name: /^old/ })).getAllByText('Jul 3, 2025')).toHaveLength(2);
  expect(main.calls.findLast(({ name }) => name === 'objects.page')?.input).toMatchObject({
    query: { sort: { column: 'checked', direction: 'descending' } },
  });
});

it('also shows a deletion date that an imported list claims', async () => {
  await renderView({ ...object, unverified: factBits.presence });
  expect(within(screen.getByRole('row', { name: /^old/ })).getAllByText('Jul 3, 2025')).toHaveLength(2);
});

it('a narrow list of gone objects keeps the deletion dates', () => {
  const fit = (gridPx: number) =>
    goneColumns
      .fit({ hiddenColumns: ['checked', 'size'], columnWidths: {} }, gridPx)
      .map(({ column }) => column);
  expect(fit(800)).toEqual(['classification', 'stored', 'checked']);
  expect(fit(300)).toEqual(['checked']);
});

it('removes all from the list after a confirmation with their count', async () => {
  const { main, user, container } = await renderView();
  await user.click(screen.getByRole('row', { name: /^old/ }));
  const button = screen.getByRole('button', { name: 'Remove all…' });
  button.focus();
  await user.keyboard('{Enter}');
  const asked = () => screen.findByRole('alertdialog', { name: 'Remove 1,204 objects from the list?' });
  const question = await asked();
  expect(question.textContent).toContain('You can undo this until you quit Coffer.');
  expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Cancel' }));
  await expectAccessible(container);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
  expect(main.calls.some(({ name }) => name === 'objects.forget')).toBe(false);
  await user.keyboard('{Enter}');
  await user.click(within(await asked()).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  act(() => main.emit('objects.changed', { serviceId: 'p1', revision: 2 }));
  await screen.findByText('Nothing here');
  expect(main.calls.find(({ name }) => name === 'objects.freeze')?.input).toMatchObject({
    selection: { kind: 'query', query: { place: { kind: 'gone' } }, exceptIds: [] },
  });
  expect(main.calls.find(({ name }) => name === 'objects.forget')?.input).toEqual({ selection: frozen });
  expect(screen.queryByRole('button', { name: 'Remove all…' })).toBeNull();
  // The button unmounts: the focus stays in this part of the window.
  await waitFor(() => expect(document.activeElement?.className).toBe('objects'));
  expect(useBrowser.getState().selection).toEqual(selectIds([]));
});

it('the details of a moved object lead to it', async () => {
  useBrowser.setState({ query: goneQuery, total: 1, selection: selectIds([7]) });
  const moved = { ...object, movedTo: 'new/plan.pdf' };
  const { user, container } = renderInApp(<DetailsTab separator="/" />, {
    'objects.get': () => ({ object: moved, history: [], failure: null }),
    'objects.previewChoices': () => ({ automatic: [] }),
    'objects.find': () => ({ id: 8, state: 'stored' }),
  });
  const name = await screen.findByText('Moved', { selector: 'dt' });
  expect(name.nextElementSibling?.textContent).toMatch(/^Jul 3, 2025/);
  expect(screen.getByText('Moved to new/plan.pdf')).toBeTruthy();
  await expectAccessible(container);
  await user.click(screen.getByRole('button', { name: 'Show new/plan.pdf' }));
  await waitFor(() => expect(useBrowser.getState()).toMatchObject({ soughtId: 8, soughtFor: 'show' }));
  expect(usePlace.getState().place).toEqual({ kind: 'all' });
});

const goneQuery = {
  serviceId: 'p1',
  kind: 'data',
  place: { kind: 'gone' },
  search: '',
  sort: { column: 'checked', direction: 'descending' },
} as const;

it('the details show when an object was deleted', async () => {
  useBrowser.setState({ query: goneQuery, total: 1, selection: selectIds([7]) });
  renderInApp(<DetailsTab separator="/" />, {
    'objects.get': () => ({ object, history: [], failure: null }),
    'objects.previewChoices': () => ({ automatic: [] }),
  });
  const name = await screen.findByText('Deleted', { selector: 'dt' });
  expect(name.nextElementSibling?.textContent).toMatch(/^Jul 3, 2025/);
});

import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { usePlace } from '../../../app/place.ts';
import {
  type Answers,
  mixWithFailed,
  renderInApp,
  testObject,
} from '../../../../../test-support/renderer/testing.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { ObjectsView } from '../ObjectsView.tsx';
import { selectIds } from '../state/selection.ts';

const first: ObjectRow = {
  ...testObject,
  storedAtMs: 1_700_000_000_000,
};
const second: ObjectRow = { ...first, id: 2, identifier: 'a@2.txt' };
const other: ObjectRow = { ...first, id: 3, identifier: 'b.txt' };

let rows = [first, other];
let revision = 1;
const answers: Answers = {
  'objects.page': () => ({
    revision,
    total: rows.length,
    totalBytes: 0,
    offset: 0,
    rows,
    folded: 2 - rows.filter(({ id }) => id !== 3).length,
  }),
  'objects.shownAs': ({ ids }) => ({
    ids: ids.map((id) => (rows.some((row) => row.id === id) ? id : (rows[0]?.id ?? id))),
  }),
  'objects.indexOf': () => ({ index: 0 }),
  'objects.savedFile': () => ({ saved: null }),
  'objects.mixOf': () => mixWithFailed(0),
  'objects.summarize': ({ selection }) => ({
    count: selection.kind === 'ids' ? selection.ids.length : 1,
    totalBytes: 10,
    unknownLengths: 0,
  }),
};

beforeEach(() => {
  [rows, revision] = [[first, other], 1];
  useBrowser.setState(useBrowser.getInitialState(), true);
  usePlace.setState(usePlace.getInitialState(), true);
  // jsdom has no layout.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(668);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900);
});

async function open() {
  const app = renderInApp(<ObjectsView />, answers);
  await screen.findByRole('row', { name: /^a\.txt/ });
  return app;
}

const selected = () => {
  const { selection } = useBrowser.getState();
  return selection.kind === 'ids' ? [...selection.ids] : null;
};

type App = Awaited<ReturnType<typeof open>>;
async function list(now: ObjectRow[], { main }: App): Promise<void> {
  [rows, revision] = [now, revision + 1];
  act(() => main.emit('objects.changed', { serviceId: 'p1', revision }));
}

it('a selected row hidden behind a newer version is replaced by it', async () => {
  const app = await open();
  await app.user.click(screen.getByRole('row', { name: /^a\.txt/ }));
  expect(selected()).toEqual([1]);
  await list([second, other], app);
  await waitFor(() => expect(selected()).toEqual([2]));
  const [, row] = screen.getAllByRole('row');
  expect(row?.getAttribute('aria-selected')).toBe('true');
});

it('other selected rows stay, and two versions of one object become one', async () => {
  const app = await open();
  await list([first, second, other], app);
  await screen.findByRole('row', { name: /^a@2\.txt/ });
  act(() => useBrowser.setState({ selection: selectIds([1, 2, 3]) }));
  await list([second, other], app);
  await waitFor(() => expect(selected()).toEqual([2, 3]));
});

it('an older version selected while hidden stays selected', async () => {
  const app = await open();
  await list([second, other], app);
  await screen.findByRole('row', { name: /^a@2\.txt/ });
  act(() => useBrowser.setState({ selection: selectIds([1]) }));
  const asked = () => app.main.calls.filter(({ name }) => name === 'objects.shownAs').length;
  await waitFor(() => expect(asked()).toBe(1));
  await list([second, other], app);
  await waitFor(() => expect(asked()).toBe(2));
  expect(selected()).toEqual([1]);
});

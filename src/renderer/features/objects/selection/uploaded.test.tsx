import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { AppFailure } from '../../../../shared/app-failure.ts';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { useFirstUpload } from '../../../app/first-upload.ts';
import { showPlace } from '../../../app/place.ts';
import { renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { ObjectsView } from '../ObjectsView.tsx';

const row = (id: number, identifier: string): ObjectRow => ({ ...testObject, id, identifier });

beforeEach(() => {
  useBrowser.setState(useBrowser.getInitialState(), true);
  useFirstUpload.setState(useFirstUpload.getInitialState(), true);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(668);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  showPlace({ kind: 'folder', path: 'a' });
});

async function renderFolder() {
  let revision = 1;
  const rows = [row(1, 'a/x'), row(2, 'a/y')];
  const app = renderInApp(<ObjectsView />, {
    'objects.page': ({ offset }) => ({
      revision,
      total: rows.length,
      totalBytes: 0,
      offset,
      rows: [...rows],
    }),
    'objects.indexOf': ({ id }) => ({ index: rows.findIndex((each) => each.id === id) }),
    'objects.find': ({ identifier }) => {
      const found = rows.find((each) => each.identifier === identifier);
      if (found === undefined) throw new AppFailure({ code: 'notFound', what: 'object' });
      return found;
    },
    'objects.summarize': () => ({ count: 1, totalBytes: 1, unknownLengths: 0 }),
  });
  await screen.findByRole('row', { name: /^x/ });
  const upload = (...identifiers: string[]) =>
    act(() => useFirstUpload.setState({ uploaded: { serviceId: 'p1', identifiers } }));
  const list = async (id: number, identifier: string) => {
    rows.push(row(id, identifier));
    revision += 1;
    act(() => app.main.emit('objects.changed', { serviceId: 'p1', revision }));
    await screen.findByRole('row', { name: new RegExp(`^${identifier.slice(2)}`) });
  };
  return { ...app, upload, list };
}
const selected = () => screen.queryAllByRole('row', { selected: true }).map(({ id }) => id);
const isOver = () => waitFor(() => expect(useFirstUpload.getState().uploaded).toBeNull());

it('selects what was uploaded into the open folder when its rows appear', async () => {
  const { upload, list } = await renderFolder();
  upload('a/new', 'a/below/b', 'a/newer');
  await list(3, 'a/new');
  expect(selected()).toEqual([]);
  await list(4, 'a/newer');
  await waitFor(() => expect(selected()).toEqual(['object-row-2', 'object-row-3']));
  expect(useBrowser.getState().cursor).toBe(2);
  await isOver();
});

it('leaves the selection of a person who has gone on', async () => {
  const { user, upload, list } = await renderFolder();
  upload('a/new');
  await user.click(screen.getByRole('row', { name: /^y/ }));
  await list(3, 'a/new');
  await isOver();
  expect(selected()).toEqual(['object-row-1']);
});

it('does nothing for uploads into other folders', async () => {
  const { upload, list } = await renderFolder();
  upload('b/new');
  await isOver();
  await list(3, 'a/other');
  expect(selected()).toEqual([]);
});

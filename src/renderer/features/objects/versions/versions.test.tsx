import { act, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Input, ObjectRow } from '../../../../shared/contract.ts';
import { factBits } from '../../../../shared/domain/unverified.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testObject,
} from '../../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../../ui/announce.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { DetailsTab } from '../details/DetailsTab.tsx';
import { selectIds } from '../state/selection.ts';

const base: ObjectRow = {
  ...testObject,
  identifier: 'maps/survey.gpkg',
  lengthBytes: 1_000_000,
  sha256: 'a'.repeat(64),
  classification: 'Internal',
  sourceName: 'survey.gpkg',
  storedAtMs: Date.UTC(2026, 6, 2, 12),
};
const version = (number: number, change: Partial<ObjectRow> = {}) => ({
  number,
  object: { ...base, id: number, identifier: `maps/survey@${number}.gpkg`, ...change },
});
const versions = [
  version(4, { state: 'uploading', storedAtMs: null, lengthBytes: null }),
  version(3, { lengthBytes: 2_000_000, sha256: 'b'.repeat(64) }),
  version(2, { storedAtMs: null, sha256: null }),
  { number: 1, object: base },
];
const newest = versions[1]?.object ?? base;

const answers: Answers = {
  'objects.get': ({ id }) => ({
    object: versions.find(({ object }) => object.id === id)?.object ?? newest,
    history: [],
    failure: null,
    versions,
  }),
  'objects.previewChoices': () => ({ automatic: [] }),
};

beforeEach(() => {
  useBrowser.setState({ ...useBrowser.getInitialState(), selection: selectIds([3]), total: 1 }, true);
});

async function open(more: Answers = {}) {
  const app = renderInApp(
    <>
      <DetailsTab separator="/" />
      <LiveRegions />
    </>,
    { ...answers, ...more },
  );
  const section = await screen.findByRole('region', { name: 'Versions' });
  const rows = within(section).getAllByRole('listitem');
  const row = (at: number) => within(rows[at] ?? section);
  return { ...app, section, rows, row };
}

it('lists them newest first, with one being stored above the newest and unmarked', async () => {
  const { rows, row, container } = await open();
  expect(rows.map((each) => each.querySelector('.version__name')?.textContent)).toEqual([
    'survey@4.gpkg',
    'survey@3.gpkgNewest',
    'survey@2.gpkg',
    'survey.gpkg',
  ]);
  expect(row(0).getByText('Being stored')).toBeTruthy();
  expect(row(2).getByText('By somebody else')).toBeTruthy();
  expect(row(1).queryByRole('button', { name: /current/ })).toBeNull();
  expect(row(0).queryByRole('button', { name: /^Download/ })).toBeNull();
  await expectAccessible(container);
});

it('shows, downloads and stores again any of them', async () => {
  const { user, main, row } = await open({
    'objects.downloadEstimate': () => ({ count: 1, totalBytes: 1, unknownLengths: 0, freeBytes: 1000 }),
    'objects.download': () => ({ count: 1 }),
    'objects.makeCurrent': () => ({ base: 'maps/survey.gpkg' }),
  });
  const inputOf = (name: string) => main.calls.findLast((call) => call.name === name)?.input;
  await user.click(row(3).getByRole('button', { name: 'Download survey.gpkg' }));
  await waitFor(() => expect(inputOf('objects.download')).toMatchObject({ selection: { ids: [1] } }));
  await user.click(row(3).getByRole('button', { name: 'Restore survey.gpkg as the newest version' }));
  await waitFor(() => expect(inputOf('objects.makeCurrent')).toEqual({ id: 1 }));
  // The region also holds what is only spoken: that a download begins.
  const messages = within(screen.getByRole('status', { name: 'Messages' }));
  expect(await messages.findByText('Restoring as the newest version, maps/survey.gpkg…')).toBeTruthy();
  await user.click(row(2).getByRole('button', { name: 'Show the details of survey@2.gpkg' }));
  expect(useBrowser.getState().selection).toEqual(selectIds([2]));
});

it('checks the service for more, and shows how many there are', async () => {
  const { user, section } = await open({ 'objects.findVersions': () => ({ added: 2 }) });
  await user.click(within(section).getByRole('button', { name: 'Look for more versions' }));
  await waitFor(() =>
    expect(within(section).getByRole('status').textContent).toBe(
      '2 more versions. The service can’t list its versions, so there may be others.',
    ),
  );
});

it('compares two versions, line by line if they are texts', async () => {
  const asked: Input<'objects.compareVersions'>[] = [];
  const { user, section } = await open({
    'objects.compareVersions': (input) => {
      asked.push(input);
      return {
        digest: 'different',
        problem: null,
        lines: [
          { kind: 'same', text: 'one' },
          { kind: 'removed', text: 'two' },
          { kind: 'added', text: '2' },
        ],
      };
    },
  });
  await user.click(within(section).getByRole('button', { name: 'Compare…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Compare versions' });
  const lines = await within(dialog).findByRole('region', { name: 'Lines that differ' });
  expect(lines.textContent).toBe('one\nremovedtwo\nadded2\n');
  expect(asked).toEqual([{ ids: [2, 3] }]);
  expect(dialog.textContent).toContain('(2,000,000 bytes)');
  await expectAccessible(dialog);
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('shows nothing of a single version', async () => {
  act(() => useBrowser.setState({ selection: selectIds([1]) }));
  renderInApp(<DetailsTab separator="/" />, {
    ...answers,
    'objects.get': () => ({
      object: base,
      history: [],
      failure: null,
      versions: [{ number: 1, object: base }],
    }),
  });
  await screen.findByRole('region', { name: 'Preview' });
  expect(screen.queryByRole('region', { name: 'Versions' })).toBeNull();
});

it('marks no version as the newest that only an imported list names', async () => {
  const unverified = factBits.presence;
  const more = [version(99, { unverified }), ...versions];
  await open({
    'objects.get': () => ({ object: newest, history: [], failure: null, versions: more }),
  });
  const section = screen.getByRole('region', { name: 'Versions' });
  const rows = within(section).getAllByRole('listitem');
  expect(rows.map(({ textContent }) => textContent?.includes('Newest'))).toEqual([
    false,
    false,
    true,
    false,
    false,
  ]);
});

import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { SelectionMix } from '../../../../shared/contract.ts';
import type { Selection } from '../../../../shared/domain/object.ts';
import { AppFailure } from '../../../../shared/app-failure.ts';
import { useDock } from '../../../app/dock.ts';
import { expectAccessible, renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../../ui/announce.tsx';
import { ReclassifyDialog } from './ReclassifyDialog.tsx';

const frozen = { kind: 'frozen' as const, ticket: '5f0c1a52-5a0e-4c8e-9d57-0f7d3a1b2c3d' };
const testQuery = {
  serviceId: 'p1',
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'identifier', direction: 'ascending' },
} as const;
const mix: SelectionMix = {
  count: 12,
  totalBytes: 129_600_000,
  unknownLengths: 0,
  unseen: 0,
  states: [{ state: 'stored', count: 12 }],
  classifications: [{ value: 'Internal', count: 12 }],
  moreClassifications: 0,
  stored: null,
};

beforeEach(() => useDock.setState(useDock.getInitialState(), true));

function dialogOf(selection: Selection, onClose = () => undefined as void) {
  return (
    <ReclassifyDialog
      selection={selection}
      serviceId="p1"
      separator="/"
      serviceName="Meridian"
      onClose={onClose}
    />
  );
}

/** @param answer main's result @param lastUsed the classification of the last upload */
async function open(shown = mix, answer = { count: 12, leftOut: 0 }, lastUsed: string | null = null) {
  const onClose = vi.fn<() => void>();
  const app = renderInApp(
    <>
      {dialogOf({ kind: 'ids', ids: [1, 2] }, onClose)}
      <LiveRegions />
    </>,
    {
      'objects.mixOf': () => shown,
      'objects.names': () => ({ rows: [{ ...testObject, identifier: 'reports/agenda.docx' }] }),
      'objects.reclassify': () => answer,
      'classifications.list': () => ({
        values: ['Public', 'Internal', 'Secret'].map((value) => ({ value, description: null })),
        recent: [],
        start: lastUsed,
        preferred: null,
        error: null,
      }),
    },
  );
  const dialog = await screen.findByRole('dialog', { name: 'Change classification of 12 objects' });
  const choose = async (value: string) => {
    await app.user.click(within(dialog).getByRole('combobox', { name: 'Classification' }));
    await app.user.click(await screen.findByRole('option', { name: new RegExp(`^${value}`) }));
  };
  const button = () => within(dialog).getByRole('button', { name: 'Change 12 objects' });
  return { ...app, onClose, dialog, choose, button };
}

it('changes nothing until another classification is chosen, and shows the cost', async () => {
  const { user, main, dialog, choose, button, onClose } = await open();
  expect(button()).toHaveProperty('disabled', true);
  expect(dialog.textContent).toContain('129.6 MB to copy');
  expect(dialog.textContent).toContain('and 11 more');
  await expectAccessible(dialog);
  await choose('Secret');
  await user.click(button());
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(main.calls.find(({ name }) => name === 'objects.reclassify')?.input).toEqual({
    selection: { kind: 'ids', ids: [1, 2] },
    classification: 'Secret',
  });
  expect(useDock.getState().tab).toBe('transfers');
  const said = await screen.findByText('Changing the classification of 12 objects');
  expect(said.closest('.toast')).toBeNull();
});

it('preselects none of several classifications, and can apply one of them to all', async () => {
  const classifications = [
    { value: 'Internal', count: 8 },
    { value: null, count: 4 },
  ];
  const { button, dialog, choose } = await open({ ...mix, classifications }, undefined, 'Secret');
  expect(within(dialog).getByRole<HTMLInputElement>('combobox').value).toBe('');
  expect(dialog.textContent).toContain('Choose the new classification.');
  expect(dialog.textContent).toContain('Internal8Default4');
  expect(button()).toHaveProperty('disabled', true);
  await choose('Internal');
  expect(button()).toHaveProperty('disabled', false);
});

it.each([
  [1, 1_000, 'At least 1 min'],
  [10_000, 40_000_000_000, 'At least 1 h 16 min'],
])('says for %d objects how long it takes at least', async (count, totalBytes, text) => {
  renderInApp(dialogOf({ kind: 'ids', ids: [1] }), {
    'objects.mixOf': () => ({ ...mix, count, totalBytes, classifications: [{ value: 'Internal', count }] }),
    'objects.names': () => ({ rows: [] }),
  });
  expect((await screen.findByRole('dialog')).textContent).toContain(text);
});

it('says how many were left out, and why', async () => {
  const { user, choose, button } = await open(mix, { count: 0, leftOut: 12 });
  await choose('Public');
  await user.click(button());
  expect(
    await screen.findByText(/^Nothing to change\. 12 are left out: they already have this classification/),
  ).toBeTruthy();
});

it('shows the error when the objects cannot be loaded', async () => {
  renderInApp(dialogOf(frozen), {
    'objects.mixOf': () => {
      throw new AppFailure({ code: 'notFound', what: 'selection' });
    },
  });
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog.textContent).toContain('Change classification');
});

it('freezes the selection, so that later objects are not changed', async () => {
  const selection = { kind: 'query' as const, query: testQuery, exceptIds: [] };
  const { main } = renderInApp(dialogOf(selection), {
    'objects.freeze': () => ({ selection: frozen }),
    'objects.mixOf': () => mix,
    'objects.names': () => ({ rows: [] }),
  });
  await screen.findByRole('dialog');
  expect(main.calls.find(({ name }) => name === 'objects.mixOf')?.input).toEqual({ selection: frozen });
});

import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { registerCommand, runCommand } from '../../../app/commands.ts';
import { undoAct } from '../../../app/undo.ts';
import { usePlace } from '../../../app/place.ts';
import { expectAccessible, renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { useBrowser } from '../state/browser-store.ts';
import { Palette } from './Palette.tsx';

const found: ObjectRow = {
  ...testObject,
  id: 7,
  identifier: 'imaging/site-02/dem-1m.tif',
  lengthBytes: 9_400_000,
  classification: 'Internal',
};

beforeEach(() => {
  usePlace.setState(usePlace.getInitialState(), true);
  useBrowser.setState(useBrowser.getInitialState(), true);
});

async function openPalette(rows = [found]) {
  const app = renderInApp(<Palette />, {
    'objects.page': ({ query }) =>
      query.kind === 'data'
        ? { revision: 1, total: 11, totalBytes: 0, offset: 0, rows }
        : { revision: 1, total: 0, totalBytes: 0, offset: 0, rows: [] },
  });
  await waitFor(() => expect(runCommand('palette')).toBe(true));
  const ask = await screen.findByRole('combobox', { name: 'Commands, objects and settings' });
  const options = () =>
    screen.queryAllByRole('option').map((option) => option.querySelector('.palette__label')?.textContent);
  return { ...app, ask, options };
}

describe('palette', () => {
  it('finds actions, objects and settings by the beginnings of their words', async () => {
    const { user, ask, options } = await openPalette();
    expect(document.activeElement).toBe(ask);
    await user.keyboard('de');
    await waitFor(() =>
      expect(options()).toEqual([
        'Deleted',
        'Show details',
        // Alternative names.
        'Show jobs',
        'imaging/site-02/dem-1m.tif',
        'Show all 11 in the list',
        'Use Coffer in Deutsch',
        'LanguageAppearance',
        'RowsAppearance',
        'Use compact rows',
      ]),
    );
    await expectAccessible(document.body);
  });

  it('goes to the recently used objects', async () => {
    const { user, options } = await openPalette();
    await user.keyboard('opened');
    await waitFor(() => expect(options()[0]).toBe('Recent'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(usePlace.getState().place).toEqual({ kind: 'recent' }));
  });

  it('runs the highlighted entry, and closes', async () => {
    const ran: string[] = [];
    const stop = registerCommand('uploadFolder', () => ran.push('uploadFolder'));
    const { user } = await openPalette();
    await user.keyboard('upload{ArrowDown}{Enter}');
    await waitFor(() => expect(ran).toEqual(['uploadFolder']));
    expect(screen.queryByRole('combobox')).toBeNull();
    stop();
  });

  it('undoes the last action, by its name', async () => {
    const ran: string[] = [];
    const stop = registerCommand('undo', () => ran.push('undo'));
    undoAct({ of: 'remove', key: 'r', run: async () => undefined });
    const { user, options } = await openPalette();
    await user.keyboard('undo');
    await waitFor(() => expect(options()[0]).toBe('Undo removal from the list'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(ran).toEqual(['undo']));
    stop();
  });

  it('opens an object, or everything found', async () => {
    const { user, options } = await openPalette();
    await user.keyboard('/dem');
    await waitFor(() => expect(options()).toHaveLength(2));
    await user.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(usePlace.getState()).toMatchObject({ place: { kind: 'all' }, search: 'dem' }));
    act(() => void runCommand('palette'));
    await screen.findByRole('combobox');
    await user.keyboard('/dem');
    await waitFor(() => expect(options()).toHaveLength(2));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(useBrowser.getState().soughtId).toBe(7));
  });
});

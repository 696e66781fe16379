import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { type AppError } from '../../../shared/errors.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { entry, missing, openDock, resetDock } from '../../../../test-support/renderer/dock-world.tsx';
import { expectAccessible, testTransfer } from '../../../../test-support/renderer/testing.tsx';
import { usePlace } from '../place.ts';
import { closeFailure } from './failure-store.ts';
import { remediesOf, remediesOfCause } from './remedies.ts';

afterEach(() => {
  closeFailure();
  usePlace.setState(usePlace.getInitialState(), true);
  resetDock();
});

const failed = (error: AppError, direction: Transfer['direction'] = 'upload'): Transfer => ({
  ...testTransfer,
  id: 7,
  direction,
  identifier: 'reports/a.pdf',
  state: 'failed',
  waitingFor: null,
  finishedAtMs: 1,
  activityToken: '9b41c07e',
  error,
});
const forbidden: AppError = { code: 'forbidden', status: 403 };

describe('the main remedy', () => {
  const mostly = [
    ['413', { code: 'tooLarge', status: 413 }, 'upload', 'Remove from list'],
    ['403', forbidden, 'upload', 'Fix and retry…'],
    ['403 of a download', forbidden, 'download', 'New token…'],
    ['400', { code: 'badRequest', status: 400 }, 'upload', 'Fix and retry…'],
    ['a wrong address', { code: 'missing', status: 404 }, 'upload', 'Edit service…'],
    ['what is not there', { code: 'missing', status: 404 }, 'download', 'Remove from list'],
    ['a folder that is gone', { code: 'folderGone', folderName: 'D' }, 'download', 'Choose folder…'],
    ['a file that is gone', { code: 'fileGone', fileName: 'a' }, 'upload', 'Choose again…'],
    ['a file that changed', { code: 'fileChanged', fileName: 'a' }, 'upload', 'Upload again'],
    ['a fault', { code: 'serverError', status: 500, retryAfterMs: null }, 'upload', 'Upload again'],
  ] as const;
  it('suits the failure', async () => {
    const { set } = await openDock('transfers', { transfers: [testTransfer] });
    for (const [at, [why, error, direction, name]] of mostly.entries()) {
      set({ transfers: [{ ...failed(error, direction), id: at + 20, identifier: why }] });
      const one = await entry(new RegExp(`^${why},`));
      expect(within(one).getByRole('button', { name: `${name} ${why}` })).toBeTruthy();
    }
  });

  it('opens the service form at the faulty field', async () => {
    const { set, user } = await openDock('transfers', { transfers: [testTransfer] });
    for (const [at, [error, direction, name, field]] of (
      [
        [{ code: 'folderReadOnly', folderName: 'D' }, 'download', 'Choose folder…', 'downloadFolder'],
        [{ code: 'tokenRefused', status: 401 }, 'upload', 'New token…', 'token'],
        [{ code: 'missing', status: 404 }, 'upload', 'Edit service…', 'baseAddress'],
        [{ code: 'badProxyAddress', problem: 'notUrl' }, 'upload', 'Edit service…', 'proxy'],
        [{ code: 'badAuthorityFile', fileName: 'ca.pem' }, 'upload', 'Edit service…', 'authority'],
      ] as const
    ).entries()) {
      const identifier = `${at}.pdf`;
      set({ transfers: [{ ...failed(error, direction), id: at + 20, identifier }] });
      await user.click(await screen.findByRole('button', { name: `${name} ${identifier}` }));
      expect(usePlace.getState().connecting).toEqual({ serviceId: 'p1', field });
    }
  });

  it('replaces a file that is gone, and does nothing when none is chosen', async () => {
    const chosen = [null, { grant: 'g1', label: 'b.pdf' }];
    const { user, inputsOf } = await openDock(
      'transfers',
      { transfers: [failed({ code: 'fileGone', fileName: 'a.pdf' })] },
      { 'files.chooseOne': () => chosen.shift() ?? null, 'transfers.replaceFile': () => undefined },
    );
    const button = await screen.findByRole('button', { name: 'Choose again… reports/a.pdf' });
    await user.click(button);
    expect(inputsOf('files.chooseOne')).toEqual([{ purpose: 'upload' }]);
    expect(inputsOf('transfers.replaceFile')).toEqual([]);
    await user.click(button);
    await waitFor(() => expect(inputsOf('transfers.replaceFile')).toEqual([{ id: 7, grant: 'g1' }]));
    expect(remediesOfCause('fileGone')[0]).toBe('each');
    expect(remediesOfCause('fileChanged')).not.toContain('chooseFile');
  });

  it('removes from the list what cannot be stored', async () => {
    const { user, inputsOf } = await openDock('transfers', {
      transfers: [failed({ code: 'tooLarge', status: 413 })],
    });
    await user.click(await screen.findByRole('button', { name: /^Remove from list/ }));
    expect(inputsOf('transfers.drop')).toEqual([{ which: [7] }]);
  });

  it('for several failures shows each if they differ, and fixes a shared cause once', () => {
    expect(remediesOfCause('badRequest')).toEqual(['each', 'remove', 'again']);
    expect(remediesOfCause('forbidden')).toEqual(['newToken', 'each', 'remove', 'again']);
    expect(remediesOfCause('certificateNotTrusted')[0]).toBe('editService');
    expect(remediesOf('exists', 'download')).not.toContain('editAndRetry');
  });

  it('for several failures applies to all of them', async () => {
    const several = { ...missing, code: 'tooLarge', error: { code: 'tooLarge', status: 413 } as const };
    const { user, inputsOf } = await openDock('transfers', {
      transfers: [testTransfer],
      summary: { failed: 8, causes: [several] },
    });
    const all = await entry(/^8 failed/);
    await user.click(within(all).getByRole('button', { name: 'Remove from list' }));
    expect(inputsOf('transfers.drop')).toEqual([
      { which: { serviceId: 'p1', group: 'needsYou', code: 'tooLarge' } },
    ]);
  });
});

describe('a failure', () => {
  it('shows in full, with all remedies, by keyboard', async () => {
    const { user, baseElement } = await openDock('transfers', { transfers: [failed(forbidden)] });
    const one = await entry(/^reports/);
    one.focus();
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Upload failed' });
    expect(dialog.textContent).toContain('Answer 403, activity 9b41c07e');
    for (const name of ['Fix and retry…', 'New token…', 'Remove from list', 'Upload again'])
      expect(within(dialog).getByRole('button', { name })).toBeTruthy();
    await expectAccessible(baseElement);
    await user.click(within(dialog).getByRole('button', { name: 'New token…' }));
    expect(usePlace.getState().connecting).toEqual({ serviceId: 'p1', field: 'token' });
  });
});

describe('edit and retry', () => {
  const asked = {
    serviceId: 'p1',
    identifier: 'reports/a.pdf',
    classification: 'Secret',
    fileName: 'a.pdf',
    isReclassification: false,
  };

  it('restarts an upload under another identifier, keeping its classification', async () => {
    const { user, inputsOf } = await openDock(
      'transfers',
      { transfers: [failed(forbidden)] },
      { 'transfers.uploadOf': () => asked },
    );
    await user.click(await screen.findByRole('button', { name: /^Fix and retry/ }));
    const field = await screen.findByRole('textbox', { name: 'Identifier' });
    expect(screen.getByRole('combobox', { name: 'Classification' })).toHaveProperty('value', 'Secret');
    await user.clear(field);
    await user.type(field, 'reports/b.pdf{Enter}');
    expect(inputsOf('transfers.editAndRetry')).toEqual([
      { id: 7, identifier: 'reports/b.pdf', classification: 'Secret' },
    ]);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('stays open with the reason when that is refused', async () => {
    const { user } = await openDock(
      'transfers',
      { transfers: [failed(forbidden)] },
      {
        'transfers.uploadOf': () => asked,
        'transfers.editAndRetry': () => {
          throw new AppFailure({ code: 'badIdentifier', problem: 'dotSegment' });
        },
      },
    );
    await user.click(await screen.findByRole('button', { name: /^Fix and retry/ }));
    const field = await screen.findByRole('textbox', { name: 'Identifier' });
    await user.clear(field);
    await user.type(field, '..{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Fix and retry' });
    await waitFor(() => expect(dialog.textContent).toContain('Invalid identifier.'));
  });
});

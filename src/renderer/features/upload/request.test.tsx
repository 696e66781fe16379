import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { RequestKind } from '../../../shared/domain/service.ts';
import type { UploadPlan } from '../../../shared/domain/upload-plan.ts';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import { useDock } from '../../app/dock.ts';
import { renderInApp, testService } from '../../../../test-support/renderer/testing.tsx';
import { UploadSheet } from './UploadSheet.tsx';
import { closeSheet, openSheet } from './upload-store.ts';

afterEach(closeSheet);

const plan: UploadPlan = {
  id: 'd1',
  serviceId: 'p1',
  intoFolder: '',
  template: '{path}',
  choices: {},
  edited: false,
  revision: 1,
  reading: false,
  naming: false,
  handedOver: 0,
  refused: [],
  total: 1,
  totalBytes: 300,
  ready: 1,
  readyBytes: 300,
  problems: 0,
  duplicates: 0,
  mayBeRefused: 0,
  changed: 0,
  first: 0,
};

async function open(uploadRequest: RequestKind) {
  const rendered = renderInApp(<UploadSheet />, {
    'services.list': () => ({ revision: 1, services: [testService], activeId: 'p1' }),
    'settings.get': () => ({ ...settingsDefault, uploadRequest, uploadOptionsOpen: true }),
    'uploadPlans.page': ({ offset }) => ({
      plan,
      total: 1,
      offset,
      entries: [
        {
          id: 1,
          fileName: 'a.txt',
          folder: '',
          sizeBytes: 300,
          identifier: 'a.txt',
          parts: null,
          edited: false,
          problem: null,
          mayBeRefused: false,
          changed: false,
        },
      ],
      notedBelow: [],
    }),
    'uploadPlans.upload': () => ({ count: 1, left: 0 }),
  });
  await waitFor(() => expect(rendered.main.answered).toContain('services.list'));
  await act(async () => openSheet(plan));
  const uploaded = () => rendered.main.calls.find(({ name }) => name === 'uploadPlans.upload')?.input;
  return { ...rendered, uploaded };
}

it('uploads deferred when chosen, and shows the jobs; the next sheet starts with the default', async () => {
  const { user, uploaded } = await open('direct');
  expect((await screen.findByRole('radiogroup', { name: 'Request' })).textContent).toBe('DirectDeferred');
  expect(screen.getByText(/its size verified/)).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'Deferred' }));
  expect(screen.getByText(/Coffer follows each one in Jobs/)).toBeTruthy();
  await user.click(screen.getByRole('combobox', { name: 'If it exists' }));
  await user.click(await screen.findByRole('option', { name: /^Replace/ }));
  await user.click(screen.getByRole('button', { name: 'Upload 1 object' }));
  await waitFor(() => expect(uploaded()).toMatchObject({ request: 'deferred', ifExists: 'replace' }));
  await waitFor(() => expect(useDock.getState().tab).toBe('jobs'));
  await act(async () => openSheet({ ...plan, id: 'd2' }));
  expect((await screen.findByRole('combobox', { name: 'If it exists' })).textContent).toContain('Ask');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Direct' }).checked).toBe(true);
});

it('starts with the default, and shows the transfers for a direct upload', async () => {
  const { user, uploaded } = await open('deferred');
  const deferred = await screen.findByRole<HTMLInputElement>('radio', { name: 'Deferred' });
  expect(deferred.checked).toBe(true);
  await user.click(screen.getByRole('radio', { name: 'Direct' }));
  await user.click(screen.getByRole('button', { name: 'Upload 1 object' }));
  await waitFor(() => expect(uploaded()).toMatchObject({ request: 'direct' }));
  await waitFor(() => expect(useDock.getState().tab).toBe('transfers'));
});

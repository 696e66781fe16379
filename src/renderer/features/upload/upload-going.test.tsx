import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { UploadPlan, PlanEntry, PlanProblem } from '../../../shared/domain/upload-plan.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { renderInApp, type Answers } from '../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../ui/announce.tsx';
import { DropTarget } from './DropTarget.tsx';
import { UploadSheet } from './UploadSheet.tsx';
import { closeSheet, openSheet, uploadStore } from './upload-store.ts';

afterEach(closeSheet);

const plan: UploadPlan = {
  id: 'd1',
  serviceId: 'p1',
  intoFolder: '',
  template: '{name}',
  choices: {},
  edited: false,
  revision: 1,
  reading: false,
  naming: false,
  handedOver: 0,
  refused: [],
  total: 10,
  totalBytes: 1000,
  ready: 10,
  readyBytes: 1000,
  problems: 0,
  duplicates: 0,
  mayBeRefused: 0,
  changed: 0,
  first: 0,
};

const entryOf = (id: number, problem: PlanProblem | null): PlanEntry => ({
  id,
  fileName: `f${id}`,
  folder: '',
  sizeBytes: 0,
  identifier: `f${id}`,
  parts: null,
  edited: false,
  problem,
  mayBeRefused: false,
  changed: false,
});

async function open(answers: Answers = {}, problems: PlanProblem[] = []) {
  let now = plan;
  const entries = () =>
    Array.from({ length: now.total }, (_, index) => entryOf(index, problems[index] ?? null));
  const rendered = renderInApp(
    <>
      <DropTarget />
      <UploadSheet />
      <LiveRegions />
    </>,
    {
      'uploadPlans.page': ({ offset }) => ({
        plan: now,
        total: now.total,
        offset,
        entries: entries(),
        notedBelow: [],
      }),
      'uploadPlans.discard': () => undefined,
      'uploadPlans.open': () => plan,
      'uploadPlans.addFiles': () => plan,
      ...answers,
    },
  );
  await waitFor(() => expect(rendered.main.answered).toContain('services.list'));
  const inputs = (name: string) =>
    rendered.main.calls.filter((call) => call.name === name).map(({ input }) => input);
  /** Simulates an event from main that changes the sheet. */
  const become = (changes: Partial<UploadPlan>) =>
    act(async () => {
      now = { ...plan, revision: now.revision + 1, ...changes };
      rendered.main.emit('uploadPlans.changed', now);
    });
  return { ...rendered, inputs, become };
}

async function openPlan(answers: Answers, problems?: PlanProblem[]) {
  const rendered = await open(answers, problems);
  await act(async () => openSheet(plan));
  const sheet = screen.getByRole('dialog', { name: 'Upload' });
  const says = (text: string) => waitFor(() => expect(sheet.textContent).toContain(text));
  return { ...rendered, sheet, says };
}

const pressUpload = /^Upload \d/;

it('shows that an upload waits for names, refuses changes, and can be cancelled', async () => {
  const uploading = Promise.withResolvers<{ count: number; left: number }>();
  const { user, sheet, says, become, inputs } = await openPlan({
    'uploadPlans.upload': () => uploading.promise,
  });
  await user.click(within(sheet).getByRole('button', { name: pressUpload }));
  await become({ naming: true, ready: 4 });
  await says('Waiting. Computing digests, 4 of 10');
  expect(
    within(sheet)
      .getByRole('button', { name: /Upload \d/ })
      .getAttribute('aria-disabled'),
  ).toBe('true');
  expect(sheet.querySelector('.sheet__work')?.hasAttribute('inert')).toBe(true);
  await become({ total: 7, ready: 7, handedOver: 3 });
  await says('Starting, 3 objects are on their way…');

  await user.click(within(sheet).getByRole('button', { name: 'Cancel' }));
  expect(inputs('uploadPlans.discard')).toEqual([{ id: 'd1' }]);
  await act(async () => openSheet({ ...plan, id: 'd2' }));
  uploading.resolve({ count: 3, left: 0 });
  await screen.findByText('Cancelled, but 3 objects are on their way.');
  expect(uploadStore.getState().plan?.id).toBe('d2');
});

it('can be requested while files are named', async () => {
  const { user, sheet, become, inputs } = await openPlan({
    'uploadPlans.upload': () => ({ count: 10, left: 0 }),
  });
  await become({ naming: true, ready: 0, readyBytes: 0 });
  await user.click(within(sheet).getByRole('button', { name: 'Upload 10 objects' }));
  await waitFor(() => expect(uploadStore.getState().plan).toBeNull());
  expect(inputs('uploadPlans.upload')).toHaveLength(1);
});

it('that fails half-way keeps its sheet and says how many were enqueued', async () => {
  const { user, sheet, says, become } = await openPlan({
    'uploadPlans.upload': () => {
      throw new AppFailure({ code: 'tokenMissing' });
    },
  });
  await user.click(within(sheet).getByRole('button', { name: pressUpload }));
  await become({ total: 9, ready: 9, handedOver: 1 });
  await says('No access token.');
  await says('1 object is on its way. The rest is still here.');
  expect(within(sheet).getByRole('button', { name: 'Upload 9 objects' })).toHaveProperty('disabled', false);
});

it('keeps the sheet open for files that turned out to have a problem', async () => {
  const { user, sheet, says, become } = await openPlan({
    'uploadPlans.upload': () => ({ count: 9, left: 1 }),
  });
  await user.click(within(sheet).getByRole('button', { name: pressUpload }));
  await become({ total: 1, ready: 0, problems: 1, handedOver: 9 });
  await says('9 objects are on their way. What is left has a problem.');
  expect(uploadStore.getState().plan?.id).toBe('d1');
});

it('explains the problem of a file without a readable name or length', async () => {
  const { sheet } = await openPlan({}, [{ code: 'unreadableName' }, { code: 'unsized' }]);
  await within(sheet).findByText('Its name can’t be read. Rename it, then add it again.');
  expect(
    within(sheet).getByText('It reports no size but isn’t empty. Copy it to a regular file first.'),
  ).toBeTruthy();
});

function drop(count: number, name = 'f') {
  const files = Array.from({ length: count }, (_, index) => new File([], `${name}${index}`));
  const event = new Event('drop', { bubbles: true, cancelable: true });
  Object.assign(event, { dataTransfer: { types: ['Files'], items: [], files } });
  window.dispatchEvent(event);
}

const countsOf = (inputs: unknown[]) =>
  inputs.map((input) => (input as { grants: readonly string[] }).grants.length);

it('adds any number of files in batches without blocking the page, and waits for the last', async () => {
  const adding = Promise.withResolvers<UploadPlan>();
  const { inputs } = await open({ 'uploadPlans.addFiles': () => adding.promise });
  drop(1100);
  const sheet = await screen.findByRole('dialog', { name: 'Upload' });
  await waitFor(() => expect(inputs('uploadPlans.addFiles')).toHaveLength(1));
  expect(within(sheet).getByRole('button', { name: pressUpload })).toHaveProperty('disabled', true);
  await act(async () => adding.resolve(plan));
  await waitFor(() => expect(countsOf(inputs('uploadPlans.addFiles'))).toEqual([500, 100]));
  expect(countsOf(inputs('uploadPlans.open'))).toEqual([500]);
  await waitFor(() =>
    expect(within(sheet).getByRole('button', { name: pressUpload })).toHaveProperty('disabled', false),
  );
});

it('drops the remaining files when the sheet is closed', async () => {
  const adding = Promise.withResolvers<UploadPlan>();
  const { inputs, user } = await open({ 'uploadPlans.addFiles': () => adding.promise });
  drop(1100);
  const sheet = await screen.findByRole('dialog', { name: 'Upload' });
  await waitFor(() => expect(inputs('uploadPlans.addFiles')).toHaveLength(1));
  await user.click(within(sheet).getByRole('button', { name: 'Cancel' }));
  await act(async () => adding.resolve(plan));
  await waitFor(() => expect(uploadStore.getState().isTaking).toBe(false));
  expect(inputs('uploadPlans.open')).toHaveLength(1);
  expect(inputs('uploadPlans.addFiles')).toHaveLength(1);
  expect(uploadStore.getState().plan).toBeNull();
});

it('opens another sheet for files dropped while one is being uploaded', async () => {
  const uploading = Promise.withResolvers<{ count: number; left: number }>();
  const { user, sheet, inputs } = await openPlan({
    'uploadPlans.upload': () => uploading.promise,
    'uploadPlans.open': () => ({ ...plan, id: 'd2' }),
  });
  await user.click(within(sheet).getByRole('button', { name: pressUpload }));
  await waitFor(() => expect(inputs('uploadPlans.upload')).toHaveLength(1));
  drop(1);
  uploading.resolve({ count: 10, left: 0 });
  await waitFor(() => expect(uploadStore.getState().plan?.id).toBe('d2'));
  expect(inputs('uploadPlans.addFiles')).toEqual([]);
});

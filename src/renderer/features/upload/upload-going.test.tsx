import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { Draft, DraftEntry, DraftProblem } from '../../../shared/domain/upload-draft.ts';
import { AppFailure } from '../../../shared/errors.ts';
import { renderInApp, type Answers } from '../../app/testing.tsx';
import { LiveRegions } from '../../ui/announce.tsx';
import { DropTarget } from './DropTarget.tsx';
import { UploadSheet } from './UploadSheet.tsx';
import { closeSheet, openSheet, uploadStore } from './upload-store.ts';

afterEach(closeSheet);

const draft: Draft = {
  id: 'd1',
  profileId: 'p1',
  intoFolder: '',
  template: '{name}',
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
  mayBeRefused: 0,
};

const entryOf = (id: number, problem: DraftProblem | null): DraftEntry => ({
  id,
  fileName: `f${id}`,
  folder: '',
  sizeBytes: 0,
  identifier: `f${id}`,
  edited: false,
  problem,
  mayBeRefused: false,
});

async function open(answers: Answers = {}, problems: DraftProblem[] = []) {
  let now = draft;
  const entries = () =>
    Array.from({ length: now.total }, (_, index) => entryOf(index, problems[index] ?? null));
  const rendered = renderInApp(
    <>
      <DropTarget />
      <UploadSheet />
      <LiveRegions />
    </>,
    {
      'drafts.page': ({ offset }) => ({ draft: now, total: now.total, offset, entries: entries() }),
      'drafts.discard': () => undefined,
      'drafts.open': () => draft,
      'drafts.addFiles': () => draft,
      ...answers,
    },
  );
  await waitFor(() => expect(rendered.main.calls.map(({ name }) => name)).toContain('profiles.list'));
  const inputs = (name: string) =>
    rendered.main.calls.filter((call) => call.name === name).map(({ input }) => input);
  /** What main says of the sheet from now on. */
  const become = (changes: Partial<Draft>) =>
    act(async () => {
      now = { ...draft, revision: now.revision + 1, ...changes };
      rendered.main.emit('drafts.changed', now);
    });
  return { ...rendered, inputs, become };
}

async function openDraft(answers: Answers, problems?: DraftProblem[]) {
  const rendered = await open(answers, problems);
  await act(async () => openSheet(draft));
  const sheet = screen.getByRole('dialog', { name: 'Upload' });
  const says = (text: string) => waitFor(() => expect(sheet.textContent).toContain(text));
  return { ...rendered, sheet, says };
}

const pressUpload = /^Upload \d/;

it('says that an upload waits for names, takes no changes, and can be cancelled', async () => {
  const uploading = Promise.withResolvers<{ count: number; left: number }>();
  const { user, sheet, says, become, inputs } = await openDraft({ 'drafts.upload': () => uploading.promise });
  await user.click(within(sheet).getByRole('button', { name: pressUpload }));
  await become({ naming: true, ready: 4 });
  await says('Waiting. Reading files to name them, 6 to go…');
  expect(within(sheet).getByRole('button', { name: pressUpload })).toHaveProperty('disabled', true);
  expect(sheet.querySelector('.sheet__work')?.hasAttribute('inert')).toBe(true);
  await become({ total: 7, ready: 7, handedOver: 3 });
  await says('Starting, 3 objects are on their way…');

  await user.click(within(sheet).getByRole('button', { name: 'Cancel' }));
  expect(inputs('drafts.discard')).toEqual([{ id: 'd1' }]);
  await act(async () => openSheet({ ...draft, id: 'd2' }));
  uploading.resolve({ count: 3, left: 0 });
  await screen.findByText('Cancelled, but 3 objects are on their way.');
  expect(uploadStore.getState().draft?.id).toBe('d2');
});

it('can be asked for while files are named', async () => {
  const { user, sheet, become, inputs } = await openDraft({
    'drafts.upload': () => ({ count: 10, left: 0 }),
  });
  await become({ naming: true, ready: 0, readyBytes: 0 });
  await user.click(within(sheet).getByRole('button', { name: 'Upload 10 objects' }));
  await waitFor(() => expect(uploadStore.getState().draft).toBeNull());
  expect(inputs('drafts.upload')).toHaveLength(1);
});

it('that fails half-way keeps its sheet and says how many went', async () => {
  const { user, sheet, says, become } = await openDraft({
    'drafts.upload': () => {
      throw new AppFailure({ code: 'tokenMissing' });
    },
  });
  await user.click(within(sheet).getByRole('button', { name: pressUpload }));
  await become({ total: 9, ready: 9, handedOver: 1 });
  await says('No access token.');
  await says('1 object is on its way. The rest is still here.');
  expect(within(sheet).getByRole('button', { name: 'Upload 9 objects' })).toHaveProperty('disabled', false);
});

it('keeps the sheet for what turned out to be a problem', async () => {
  const { user, sheet, says, become } = await openDraft({ 'drafts.upload': () => ({ count: 9, left: 1 }) });
  await user.click(within(sheet).getByRole('button', { name: pressUpload }));
  await become({ total: 1, ready: 0, problems: 1, handedOver: 9 });
  await says('9 objects are on their way. What is left has a problem.');
  expect(uploadStore.getState().draft?.id).toBe('d1');
});

it('says what is wrong with a file whose name, or whose length, cannot be had', async () => {
  const { sheet } = await openDraft({}, [{ code: 'unreadableName' }, { code: 'unsized' }]);
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

it('takes any number of files, ten thousand at a time, and waits for the last of them', async () => {
  const adding = Promise.withResolvers<Draft>();
  const { inputs } = await open({ 'drafts.addFiles': () => adding.promise });
  drop(25_000);
  const sheet = await screen.findByRole('dialog', { name: 'Upload' });
  await waitFor(() => expect(inputs('drafts.addFiles')).toHaveLength(1));
  expect(within(sheet).getByRole('button', { name: pressUpload })).toHaveProperty('disabled', true);
  await act(async () => adding.resolve(draft));
  await waitFor(() => expect(countsOf(inputs('drafts.addFiles'))).toEqual([10_000, 5_000]));
  expect(countsOf(inputs('drafts.open'))).toEqual([10_000]);
  await waitFor(() =>
    expect(within(sheet).getByRole('button', { name: pressUpload })).toHaveProperty('disabled', false),
  );
});

it('leaves the rest of a drop out whose sheet was closed', async () => {
  const adding = Promise.withResolvers<Draft>();
  const { inputs, user } = await open({ 'drafts.addFiles': () => adding.promise });
  drop(25_000);
  const sheet = await screen.findByRole('dialog', { name: 'Upload' });
  await waitFor(() => expect(inputs('drafts.addFiles')).toHaveLength(1));
  await user.click(within(sheet).getByRole('button', { name: 'Cancel' }));
  await act(async () => adding.resolve(draft));
  await waitFor(() => expect(uploadStore.getState().isTaking).toBe(false));
  expect(inputs('drafts.open')).toHaveLength(1);
  expect(inputs('drafts.addFiles')).toHaveLength(1);
  expect(uploadStore.getState().draft).toBeNull();
});

it('opens a sheet of its own for what is dropped while another is uploaded', async () => {
  const uploading = Promise.withResolvers<{ count: number; left: number }>();
  const { user, sheet, inputs } = await openDraft({
    'drafts.upload': () => uploading.promise,
    'drafts.open': () => ({ ...draft, id: 'd2' }),
  });
  await user.click(within(sheet).getByRole('button', { name: pressUpload }));
  await waitFor(() => expect(inputs('drafts.upload')).toHaveLength(1));
  drop(1);
  uploading.resolve({ count: 10, left: 0 });
  await waitFor(() => expect(uploadStore.getState().draft?.id).toBe('d2'));
  expect(inputs('drafts.addFiles')).toEqual([]);
});

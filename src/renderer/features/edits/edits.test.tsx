import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Edit } from '../../../shared/domain/edit.ts';
import type { ObjectRow } from '../../../shared/contract.ts';
import {
  type Answers,
  expectAccessible,
  renderInApp,
  testEdit,
  testObject,
  testService,
} from '../../../../test-support/renderer/testing.tsx';
import { leaveAlone, installQuestionClock } from '../../../../test-support/renderer/question-clock.ts';
import { showRemove } from '../../app/place.ts';
import { conflictPromptStore } from '../../app/conflict-prompt-store.ts';
import { RemoveService } from '../connect/RemoveDialog.tsx';
import { rowState } from '../objects/state/row-state.ts';
import { LiveRegions } from '../../ui/announce.tsx';
import { EditNeeds } from './window.tsx';
import { EditsStatus } from './EditsStatus.tsx';
import { showEdits } from './open-edits.ts';

const at = new Date(2026, 6, 13, 10, 41).getTime();
const edit: Edit = { ...testEdit, startedAtMs: at };
const mine = { savedAtMs: at, lengthBytes: 1_900_000 };
const changed: Edit = {
  ...edit,
  // Not opened by any program; shown unless there is something worse.
  error: { code: 'fileNotOpened', problem: 'noApp', isCopy: true },
  id: '22222222-2222-4222-8222-222222222222',
  identifier: 'reports/forecast.xlsx',
  state: 'changed',
  savedAtMs: at,
  mine,
  theirs: { lengthBytes: 1_800_000, seenAtMs: at },
};

beforeEach(() => showEdits(false));

function show(edits: readonly Edit[], others: Answers = {}) {
  const all = [...edits];
  const said = () => undefined;
  const rendered = renderInApp(
    <>
      <EditsStatus />
      <EditNeeds />
      <LiveRegions />
    </>,
    {
      'edits.list': () => ({ revision: 1, edits: all }),
      'edits.answer': said,
      'edits.finish': said,
      'edits.show': said,
      'edits.compare': said,
      ...others,
    },
  );
  const inputsOf = (name: string) =>
    rendered.main.calls.filter((call) => call.name === name).map(({ input }) => input);
  return { ...rendered, inputsOf, all };
}

installQuestionClock();

it('shows nothing without edits', async () => {
  const { main } = show([]);
  await waitFor(() => expect(main.answered).toContain('edits.list'));
  expect(screen.queryByRole('button', { name: /open edit/ })).toBeNull();
});

it('lists open edits above the bottom line, those that need attention first, and returns the focus', async () => {
  const { user, inputsOf } = show([edit, changed]);
  const button = await screen.findByRole('button', { name: /2 open edits/ });
  expect(button.textContent).toContain('1 needs your answer');
  await user.click(button);
  const panel = await screen.findByRole('dialog', { name: 'Open edits' });
  await expectAccessible(panel);
  const entries = within(panel).getAllByRole('listitem');
  expect(entries[0]?.textContent).toContain('Changed at the service since you opened it.');
  expect(entries[0]?.textContent).toContain('Nothing was sent. Your save is kept here.');
  expect(entries[0]?.textContent).toContain('larger');
  expect(entries[1]?.textContent).toContain('nothing to save');
  expect(panel.textContent).toContain('Each save becomes a new version');
  // The answer that loses no data.
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep mine as a new version'));
  await leaveAlone();
  await user.keyboard('{Enter}');
  expect(inputsOf('edits.answer')).toEqual([{ id: changed.id, answer: 'keepMine' }]);
  await user.click(within(panel).getByRole('button', { name: 'Compare' }));
  expect(inputsOf('edits.compare')).toEqual([{ id: changed.id }]);
  await user.click(within(panel).getByRole('button', { name: 'Finish, reports/minutes.docx' }));
  expect(inputsOf('edits.finish')).toEqual([{ id: edit.id }]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(button));
});

it('moves the focus to the list when the last edit and its button are gone', async () => {
  const { user, main, all } = show([edit], {
    'edits.finish': () => {
      all.length = 0;
      main.emit('edits.changed', { revision: 2 });
    },
  });
  const grid = document.body.appendChild(
    Object.assign(document.createElement('div'), { id: 'objects-grid' }),
  );
  grid.tabIndex = 0;
  await user.click(await screen.findByRole('button', { name: /1 open edit/ }));
  await user.click(await screen.findByRole('button', { name: 'Finish, reports/minutes.docx' }));
  await waitFor(() => expect(document.activeElement).toBe(grid));
  grid.remove();
});

it.each<[Partial<Edit>, string]>([
  [{ savedAtMs: at, state: 'uploading', mine, transferId: 7 }, 'Editing, saved {time}, uploading'],
  [
    { savedAtMs: at, state: 'saved', mine, waitingFor: 'network' },
    'Editing, saved {time}, waiting for the service',
  ],
  [
    { savedAtMs: at, state: 'saved', mine, waitingFor: 'token' },
    'Editing, saved {time}, waiting for a new token',
  ],
  [{ savedAtMs: at, storedAtMs: at }, 'Editing, saved {time}, stored'],
  [{ state: 'opening', transferId: 7 }, 'Opening for editing'],
  [{ isFinishing: true, savedAtMs: at, state: 'uploading', mine }, 'Finishing, saved {time}, uploading'],
  [{ error: { code: 'diskFull', folderName: 'edits' } }, 'Your last save isn’t kept yet.'],
])('says how it is: %j', async (change, words) => {
  const { user } = show([{ ...edit, ...change }]);
  await user.click(await screen.findByRole('button', { name: /1 open edit/ }));
  const panel = await screen.findByRole('dialog', { name: 'Open edits' });
  const plain = panel.textContent?.replace(/[\u2066-\u2069]/gu, '') ?? '';
  for (const part of words.split('{time}')) expect(plain).toContain(part);
});

it('an edit that could not be finished lists the files beside the copy, which can be deleted', async () => {
  const error: Edit['error'] = {
    code: 'editNotFinished',
    problem: 'filesBeside',
    fileNames: ['~$minutes.docx'],
  };
  const { user, inputsOf } = show([{ ...edit, error }]);
  await user.click(await screen.findByRole('button', { name: /1 open edit/ }));
  const panel = await screen.findByRole('dialog', { name: 'Open edits' });
  await expectAccessible(panel);
  expect(panel.textContent).toContain('~$minutes.docx');
  expect(panel.textContent).not.toContain('isn’t kept yet');
  await leaveAlone();
  await user.click(screen.getByRole('button', { name: /^Delete them and finish/ }));
  expect(inputsOf('edits.answer')).toEqual([{ id: edit.id, answer: 'deleteBeside' }]);
  await user.click(screen.getByRole('button', { name: /^Finish/ }));
  expect(inputsOf('edits.finish')).toEqual([{ id: edit.id }]);
});

it('an edit in transfer has a bar with its bytes', async () => {
  const { user, main } = show([{ ...edit, state: 'uploading', savedAtMs: at, mine, transferId: 7 }]);
  await user.click(await screen.findByRole('button', { name: /1 open edit/ }));
  main.emit('transfers.progress', {
    entries: [
      { id: 7, objectId: 1, doneBytes: 1_200_000, totalBytes: 1_700_000, bytesPerSecond: 1, leftMs: 1000 },
    ],
    bytesPerSecond: 1,
    leftMs: 1000,
    fraction: 0.7,
  });
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('1.2 of 1.7 MB'));
});

it('announces a conflict above the transfers, and links to the panel', async () => {
  const { user, main, all } = show([{ ...changed, state: 'editing', theirs: null, mine: null }]);
  await screen.findByRole('button', { name: /1 open edit/ });
  all[0] = changed;
  main.emit('edits.changed', { revision: 2 });
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Edits that need your answer' }).textContent).toContain(
      'Changed at the service while you edited',
    ),
  );
  await waitFor(() =>
    expect(screen.getByRole('alert').textContent).toContain('was changed at the service while you edited'),
  );
  await user.click(screen.getByRole('button', { name: 'Answer, reports/forecast.xlsx' }));
  expect(await screen.findByRole('dialog', { name: 'Open edits' })).toBeDefined();
});

it.each([
  ['deleted', 'Store mine again', 'storeAgain'],
  ['deleted', 'Discard mine', 'discard'],
  ['failed', 'Try again', 'tryAgain'],
  ['failed', 'Discard mine', 'discard'],
  ['changed', 'Take theirs', 'takeTheirs'],
] as const)('%s: %s', async (state, name, answer) => {
  const { user, inputsOf } = show([{ ...changed, state }]);
  await user.click(await screen.findByRole('button', { name: /1 open edit/ }));
  const button = await screen.findByRole('button', { name });
  await leaveAlone();
  await user.click(button);
  expect(inputsOf('edits.answer')).toEqual([{ id: changed.id, answer }]);
});

it('takes no press that was meant for what was in its place', async () => {
  const second = { ...changed, id: '33333333-3333-4333-8333-333333333333', identifier: 'b.xlsx' };
  const { user, main, all, inputsOf } = show([edit], {
    'edits.answer': ({ id }) => {
      all.splice(
        all.findIndex((each) => each.id === id),
        1,
      );
      main.emit('edits.changed', { revision: 3 });
    },
  });
  await user.click(await screen.findByRole('button', { name: /1 open edit/ }));
  await leaveAlone();
  all.unshift(changed, second);
  main.emit('edits.changed', { revision: 2 });
  const [first] = await screen.findAllByRole('button', { name: 'Take theirs' });
  if (first) await user.click(first);
  await user.keyboard('{Enter}');
  expect(inputsOf('edits.answer')).toEqual([]);
  await leaveAlone();
  if (first) await user.click(first);
  await waitFor(() => expect(screen.getAllByRole('button', { name: 'Take theirs' })).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'Take theirs' }));
  expect(inputsOf('edits.answer')).toEqual([{ id: changed.id, answer: 'takeTheirs' }]);
});

it('a failed save shows the reason and a remedy', async () => {
  const { user } = show([{ ...edit, state: 'failed', mine, error: { code: 'forbidden', status: 403 } }]);
  await user.click(await screen.findByRole('button', { name: /1 open edit/ }));
  expect((await screen.findByRole('dialog')).textContent).toContain(
    'Your save wasn’t uploaded. Not allowed. The service accepts the token, but not for this object. Ask',
  );
});

it('a save whose upload asks links to its question', async () => {
  const { user } = show([{ ...edit, state: 'asking', mine, transferId: 9 }]);
  await user.click(await screen.findByRole('button', { name: /1 open edit/ }));
  await user.click(await screen.findByRole('button', { name: 'Answer' }));
  expect(conflictPromptStore.getState().transferId).toBe(9);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

const row: ObjectRow = {
  ...testObject,
  identifier: 'a',
};

it('a row shows that it is being edited, saved, or needs attention', () => {
  const over = (state: Edit['state']) => ({ ...row, edit: { id: edit.id, state, savedAtMs: at } });
  expect(rowState(over('editing'), 0)).toEqual({ tone: 'editing', word: 'Editing', icon: 'pencil' });
  expect(rowState(over('uploading'), 0, { doneBytes: 1, totalBytes: 2 })).toEqual({
    tone: 'moving',
    word: 'Editing',
    fraction: 0.5,
    icon: 'pencil',
  });
  for (const state of ['changed', 'deleted', 'asking', 'failed'] as const)
    expect(rowState(over(state), 0)).toMatchObject({ word: 'Needs your answer', icon: 'warn' });
  expect(rowState(over('opening'), 0)).toMatchObject({ word: 'Stored' });
});

it('removing a service names the saves that would be lost', async () => {
  showRemove(testService.id);
  renderInApp(<RemoveService />, { 'edits.list': () => ({ revision: 1, edits: [edit, changed] }) });
  const dialog = await screen.findByRole('alertdialog');
  await waitFor(() => expect(dialog.textContent).toContain('1 save isn’t uploaded yet, and goes too:'));
  expect(dialog.textContent).toContain('reports/forecast.xlsx');
  expect(dialog.textContent).not.toContain('reports/minutes.docx');
  showRemove(null);
});

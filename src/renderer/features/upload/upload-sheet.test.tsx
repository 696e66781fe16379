import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { settingsDefault } from '../../../shared/domain/settings.ts';
import type { UploadPlan, PlanEntry } from '../../../shared/domain/upload-plan.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { AppProvider } from '../../app/AppProvider.tsx';
import { features } from '../../features.ts';
import { useDock } from '../../app/dock.ts';
import { useFirstUpload } from '../../app/first-upload.ts';
import {
  createFakeMain,
  expectAccessible,
  inTeam,
  renderInApp,
  testService,
  testTeam,
  type Answers,
} from '../../../../test-support/renderer/testing.tsx';
import { leaveAlone } from '../../../../test-support/renderer/question-clock.ts';
import { useDropFolder } from '../../app/drops.ts';
import { holdTakenOut, useTakenOut } from '../../app/taken-out.ts';
import { LiveRegions } from '../../ui/announce.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DropTarget } from './DropTarget.tsx';
import { UploadSheet } from './UploadSheet.tsx';
import '../../public/early.js';
import { closeSheet, openSheet } from './upload-store.ts';

afterEach(closeSheet);

const plain: PlanEntry = {
  id: 1,
  fileName: 'a.txt',
  folder: '',
  sizeBytes: 1_200_000,
  identifier: 'a.txt',
  parts: null,
  edited: false,
  problem: null,
  mayBeRefused: false,
  changed: false,
};
const tooLarge: PlanEntry = {
  ...plain,
  id: 2,
  fileName: 'big.tif',
  identifier: 'big.tif',
  problem: { code: 'tooLarge', limitBytes: 52_428_800 },
};
const doubled: PlanEntry = {
  ...plain,
  id: 3,
  folder: 'drafts',
  problem: { code: 'sameIdentifier', name: 'drafts/a.txt', asName: 'a.txt', remedy: 'a-2.txt' },
};

/** A simulated sheet in main. */
function sheetOf(start: readonly PlanEntry[], more: Partial<UploadPlan> = {}) {
  let entries = start;
  let revision = 1;
  const plan = (): UploadPlan => {
    const ready = entries.filter(({ problem }) => problem === null);
    const sum = (of: readonly PlanEntry[]) => of.reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0);
    return {
      id: 'd1',
      serviceId: 'p1',
      intoFolder: '',
      template: '{path}',
      choices: {},
      edited: false,
      revision,
      reading: false,
      naming: false,
      handedOver: 0,
      refused: [],
      total: entries.length,
      totalBytes: sum(entries),
      ready: ready.length,
      readyBytes: sum(ready),
      problems: entries.length - ready.length,
      duplicates: entries.filter(({ problem }) => problem?.code === 'sameIdentifier').length,
      mayBeRefused: ready.filter(({ mayBeRefused }) => mayBeRefused).length,
      changed: 0,
      first: start.length - start.filter(({ problem }) => problem === null).length,
      ...more,
    };
  };
  const change = (next: readonly PlanEntry[]) => {
    entries = next;
    revision += 1;
    return plan();
  };
  const answers: Answers = {
    'uploadPlans.open': plan,
    'uploadPlans.addFiles': plan,
    'uploadPlans.page': ({ offset, limit }) => ({
      plan: plan(),
      total: entries.length,
      offset,
      entries: entries.slice(offset, offset + limit),
      notedBelow: [],
    }),
    'uploadPlans.setIdentifier': ({ entryId, identifier }) =>
      change(
        entries.map((entry) =>
          entry.id === entryId
            ? {
                ...entry,
                identifier: identifier ?? entry.fileName,
                edited: identifier !== null,
                problem: null,
              }
            : entry,
        ),
      ),
    'uploadPlans.setTemplate': plan,
    'uploadPlans.choose': plan,
    'uploadPlans.numberDuplicates': () =>
      change(
        entries.map((entry) =>
          entry.problem?.code === 'sameIdentifier'
            ? { ...entry, identifier: entry.problem.remedy, problem: null }
            : entry,
        ),
      ),
    'uploadPlans.removeEntries': ({ entries: which }) =>
      change(
        entries.filter(({ id, problem }) => (which === 'problems' ? problem === null : !which.includes(id))),
      ),
    'uploadPlans.discard': () => undefined,
    'settings.get': () => ({ ...settingsDefault, uploadOptionsOpen: true }),
    'uploadPlans.upload': () => ({ count: plan().ready, left: 0 }),
  };
  return { plan, answers };
}

async function open(start: readonly PlanEntry[], more: Partial<UploadPlan> = {}, others: Answers = {}) {
  const { plan, answers } = sheetOf(start, more);
  openSheet(plan());
  const rendered = renderInApp(
    <>
      <UploadSheet />
      <LiveRegions />
    </>,
    { ...answers, ...others },
  );
  const sheet = await screen.findByRole('dialog', { name: 'Upload' });
  const table = within(sheet).getByRole('table', { name: 'Files to upload' });
  if (start.length > 0)
    await within(table).findByRole('textbox', { name: `Identifier of ${start[0]?.fileName}` });
  const emitChange = () => rendered.main.emit('uploadPlans.changed', plan());
  return { ...rendered, sheet, table, emitChange };
}

const inputsOf = (calls: { name: string; input: unknown }[], name: string) =>
  calls.filter((call) => call.name === name).map(({ input }) => input);

it('has its accessible names, and is accessible', async () => {
  const { sheet, table, baseElement } = await open([tooLarge, doubled, plain]);
  expect(within(table).getAllByRole('row')).toHaveLength(4);
  expect(within(sheet).getByRole('combobox', { name: 'Classification' })).toBeDefined();
  expect(within(sheet).getByRole('combobox', { name: 'If it exists' })).toHaveProperty(
    'textContent',
    expect.stringContaining('Ask'),
  );
  expect(within(sheet).getByRole('button', { name: 'Upload 1 object' })).toHaveProperty('disabled', false);
  expect(sheet).toHaveProperty(
    'textContent',
    expect.stringContaining('1 of 3 files is ready, 1.2 MB. Files with problems are left out.'),
  );
  expect(sheet).toHaveProperty(
    'textContent',
    expect.stringContaining('Too large. The service accepts up to 50 MB.'),
  );
  expect(sheet).toHaveProperty(
    'textContent',
    expect.stringContaining('drafts/a.txt has the same identifier as a.txt.'),
  );
  await expectAccessible(baseElement);
});

it('makes the list as high as its files need, and shrinks it to no fewer than two', async () => {
  const one = await open([plain]);
  expect(one.table.parentElement?.style.minHeight).toBe('65px');
  one.unmount();
  const { table } = await open([1, 2, 3, 4, 5].map((id) => ({ ...plain, id, fileName: `${id}.txt` })));
  expect(table.parentElement?.style).toMatchObject({ minHeight: '102px', flexBasis: '213px' });
});

it('sends everything into the chosen folder, one of the list or a new one', async () => {
  const folder = (path: string) => ({
    path,
    name: path.split('/').at(-1) ?? '',
    count: 1,
    hasChildren: true,
  });
  let plan = { ...sheetOf([plain]).plan(), intoFolder: 'photos' };
  const { sheet, main, user } = await open(
    [plain],
    { intoFolder: 'photos' },
    {
      'objects.folders': ({ parent }) => ({
        folders: (parent === '' ? ['photos', 'reports'] : ['reports/2026']).map(folder),
        more: 0,
      }),
      'uploadPlans.setFolder'({ folder: intoFolder }) {
        plan = { ...plan, intoFolder, revision: plan.revision + 1 };
        return plan;
      },
      'uploadPlans.page': ({ offset }) => ({ plan, total: 1, offset, entries: [plain], notedBelow: [] }),
    },
  );
  const into = within(sheet).getByRole('combobox', { name: 'Into' });
  expect(into).toHaveProperty('value', 'photos');
  await user.click(into);
  const names = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
  await waitFor(() => expect(names()).toEqual(['Files', 'photos', 'reports']));
  await user.keyboard('reports/');
  await waitFor(() => expect(names()).toEqual(['reports/2026']));
  await user.click(screen.getByRole('option', { name: 'reports/2026' }));
  await user.clear(into);
  await user.keyboard('brand/new/{Enter}');
  await user.clear(into);
  await user.tab();
  expect(inputsOf(main.calls, 'uploadPlans.setFolder')).toEqual(
    ['reports/2026', 'brand/new', ''].map((to) => ({ id: 'd1', folder: to })),
  );
});

it('shows a name as in a list until its field is entered, and which file it is of, if it tells nothing of it', async () => {
  const { table } = await open([
    { ...plain, folder: 'in', identifier: 'in/a.txt' },
    { ...plain, id: 2, folder: 'drafts', fileName: 'b.txt', identifier: '9f86d081.txt' },
  ]);
  const rows = within(table).getAllByRole('row');
  expect(rows[1]?.querySelector('.file__name')?.textContent).toBe('in/a.txt');
  expect(rows[2]?.querySelector('.file__name')?.textContent).toBe('9f86d081.txtfrom drafts/b.txt');
});

it('commits an identifier on Enter and on leaving the field, and reverts it', async () => {
  const { table, main, user } = await open([
    plain,
    { ...plain, id: 4, fileName: 'b.txt', identifier: 'b.txt' },
  ]);
  const field = within(table).getByRole('textbox', { name: 'Identifier of a.txt' });
  await user.clear(field);
  await user.paste('x/a.txt');
  await user.keyboard('{Enter}');
  const undo = await within(table).findByRole('button', {
    name: /^Use the name from the template for a\.txt$/,
  });
  await user.type(within(table).getByRole('textbox', { name: 'Identifier of b.txt' }), '2');
  await user.tab();
  await user.click(undo);
  await waitFor(() => expect(field).toHaveProperty('value', 'a.txt'));
  expect(inputsOf(main.calls, 'uploadPlans.setIdentifier')).toEqual([
    { id: 'd1', entryId: 1, identifier: 'x/a.txt' },
    { id: 'd1', entryId: 4, identifier: 'b.txt2' },
    { id: 'd1', entryId: 1, identifier: null },
  ]);
});

it('has one remedy for each problem, and keeps a corrected row in place with the focus', async () => {
  const { sheet, table, user } = await open([tooLarge, doubled, plain]);
  const rows = () => within(table).getAllByRole('row').slice(1);
  await user.click(within(table).getByRole('button', { name: 'Use a-2.txt' }));
  expect(await within(sheet).findByRole('button', { name: 'Upload 2 objects' })).toHaveProperty(
    'disabled',
    false,
  );
  await waitFor(() => expect(rows()[1]?.textContent).toContain('Fixed.'));
  expect(rows()[1]?.contains(document.activeElement)).toBe(true);
  await user.click(within(table).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(within(table).queryByText('big.tif')).toBeNull());
  expect(rows()).toHaveLength(2);
  expect(rows()[0]?.contains(document.activeElement)).toBe(true);
  await user.click(within(table).getAllByRole('button', { name: 'Remove a.txt' })[0] ?? table);
  expect(await within(sheet).findByRole('button', { name: 'Upload 1 object' })).toHaveProperty(
    'disabled',
    false,
  );
});

it('says that none of the files can be uploaded', async () => {
  const { sheet } = await open([tooLarge]);
  expect(within(sheet).getByText('None of these files can be uploaded as they are.')).toBeDefined();
  expect(within(sheet).getByRole('button', { name: /^Upload/ })).toHaveProperty('disabled', true);
});

it('removes all that have a problem', async () => {
  const { sheet, user } = await open([tooLarge, doubled, plain]);
  await user.click(within(sheet).getByRole('button', { name: 'Remove all 2 with a problem' }));
  await waitFor(() => expect(sheet).not.toHaveProperty('textContent', expect.stringContaining('problem')));
});

it('does everything by keyboard', async () => {
  const { sheet, main, user } = await open(
    [plain],
    {},
    {
      'classifications.list': () => ({
        values: [
          { value: 'Public', description: null },
          { value: 'Secret', description: null },
        ],
        recent: [],
        start: null,
        preferred: null,
        error: null,
      }),
    },
  );
  async function tabTo(element: HTMLElement) {
    for (let presses = 0; document.activeElement !== element && presses < 30; presses++) await user.tab();
    expect(document.activeElement).toBe(element);
  }
  await tabTo(within(sheet).getByRole('combobox', { name: 'If it exists' }));
  await user.keyboard('{ArrowDown}');
  expect(await screen.findByRole('option', { name: /^Skip/ })).toBeDefined();
  await user.keyboard('{ArrowDown}{Enter}');
  await tabTo(within(sheet).getByRole('combobox', { name: 'Classification' }));
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
  await waitFor(() =>
    expect(within(sheet).getByRole('combobox', { name: 'Classification' })).toHaveProperty('value', 'Secret'),
  );
  await tabTo(within(sheet).getByRole('button', { name: 'Upload 1 object' }));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(sheet.isConnected).toBe(false));
  expect(inputsOf(main.calls, 'uploadPlans.upload')).toEqual([
    {
      id: 'd1',
      classification: 'Secret',
      classificationChosen: true,
      ifExists: 'newVersion',
      request: 'direct',
    },
  ]);
});

it('says that existing objects keep their classification until one is chosen', async () => {
  const kept = 'Objects that exist keep their classification';
  const { sheet, main, user } = await open([plain], {
    choices: { ifExists: 'replace' },
  });
  expect(sheet.textContent).toContain(kept);
  const picker = within(sheet).getByRole('combobox', { name: 'Classification' });
  await user.click(picker);
  await user.click(await screen.findByRole('option', { name: /^Default/ }));
  expect(sheet.textContent).not.toContain(kept);
  expect(sheet.textContent).toContain('Replacements and new versions get this classification too.');
  await user.click(within(sheet).getByRole('button', { name: 'Upload 1 object' }));
  expect(inputsOf(main.calls, 'uploadPlans.upload')).toMatchObject([
    { classification: null, classificationChosen: true },
  ]);
  await waitFor(() => expect(sheet.isConnected).toBe(false));
});

it('tells whether colleagues will see what is uploaded', async () => {
  const unseen = 'Uploads don’t appear on “Archive”: you may not add to it.';
  const noPassword = { syncState: { kind: 'refused', why: 'noPassword' } } as const;
  const hints = [
    [{}, 'Colleagues with access see uploads on “Archive”.'],
    [{ mayContribute: false }, unseen],
    [noPassword, 'Once you have signed in, colleagues with access see uploads on “Archive”.'],
    [{ mayContribute: false, ...noPassword }, unseen],
  ] as const;
  let at = 0;
  const status = () => ({ revision: at + 2, team: { ...testTeam, ...hints[at]?.[0] } });
  const { sheet, main } = await open([plain], {}, { ...inTeam(), 'team.status': status });
  for (const [, hint] of hints) {
    expect(await within(sheet).findByText(hint)).toBeTruthy();
    await expectAccessible(sheet);
    at += 1;
    if (at < hints.length) act(() => main.emit('team.changed', { serviceId: 'p1', revision: at + 2 }));
  }
});

it('tells a former member nothing of the team', async () => {
  const former = await open([plain], {}, inTeam({ syncState: { kind: 'refused', why: 'ended' } }));
  await waitFor(() => expect(former.main.calls.map(({ name }) => name)).toContain('team.people'));
  expect(within(former.sheet).queryByText(/team’s list/)).toBeNull();
});

it('sends a classification that was not chosen as a default', async () => {
  const { sheet, main, user } = await open([plain], { choices: { ifExists: 'replace' } });
  await user.click(within(sheet).getByRole('button', { name: 'Upload 1 object' }));
  expect(inputsOf(main.calls, 'uploadPlans.upload')).toMatchObject([
    { classification: null, classificationChosen: false },
  ]);
  await waitFor(() => expect(sheet.isConnected).toBe(false));
});

it('collapses names, request and conflict choice to a line, and remembers it', async () => {
  const { sheet, main, user } = await open(
    [plain],
    { choices: { ifExists: 'skip' } },
    { 'settings.get': () => settingsDefault, 'settings.update': () => settingsDefault },
  );
  const options = within(sheet).getByRole('button', { name: /^Options:/, expanded: false });
  expect(options.textContent).toBe('Options:Direct, keep file names, skip if it exists');
  expect(within(sheet).queryByRole('combobox', { name: 'If it exists' })).toBeNull();
  await user.click(options);
  const template = within(sheet).getByRole('textbox', { name: 'Name files by' });
  await user.click(template);
  await user.paste('{nobody}');
  const upload = within(sheet).getByRole('button', { name: 'Upload 1 object' });
  await waitFor(() => expect(upload).toHaveProperty('disabled', true));
  expect(within(sheet).getByText('Correct the template, or reset it.')).toBeDefined();
  // Collapsing discards an invalid template, which would otherwise stay unseen.
  await user.click(options);
  await waitFor(() => expect(upload).toHaveProperty('disabled', false));
  expect(within(sheet).queryByText('Correct the template, or reset it.')).toBeNull();
  expect(inputsOf(main.calls, 'settings.update')).toEqual([
    { uploadOptionsOpen: true },
    { uploadOptionsOpen: false },
  ]);
});

it('goes back to the template of the service with Reset all', async () => {
  const { sheet, main, user } = await open([plain], { template: '{date}/{name}' });
  await user.click(within(sheet).getByRole('button', { name: 'Reset all' }));
  expect(inputsOf(main.calls, 'uploadPlans.setTemplate')).toEqual([
    { id: 'd1', template: '{path}', resetEdited: true },
  ]);
});

it('marks identifiers that the list already has, with their classification', async () => {
  const { table } = await open(
    [plain, { ...plain, id: 2, fileName: 'b.txt', identifier: 'b.txt' }],
    {},
    {
      'objects.stored': () => ({ stored: [{ identifier: 'b.txt', classification: 'Secret' }] }),
    },
  );
  const mark = await within(table).findByText('Already exists');
  expect(mark.closest('tr')?.textContent).toContain('b.txt');
  expect(mark.title).toContain('Secret');
  expect(within(table).getAllByText('Already exists')).toHaveLength(1);
});

it('asks before stored objects get another classification, and once', async () => {
  const { sheet, main, user } = await open(
    [plain],
    { choices: { ifExists: 'newVersion', classification: 'Internal' } },
    {
      'uploadPlans.reclassified': () => ({
        changes: [
          { from: 'Secret', count: 2 },
          { from: null, count: 1 },
        ],
      }),
    },
  );
  const upload = within(sheet).getByRole('button', { name: 'Upload 1 object' });
  await user.click(upload);
  const name = 'Change the classification of 3 stored objects?';
  const question = await screen.findByRole('alertdialog', { name });
  expect(
    within(question)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['2 objects are Secret and become Internal.', '1 object is Default and becomes Internal.']);
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(inputsOf(main.calls, 'uploadPlans.upload')).toEqual([]);
  await user.click(upload);
  await user.click(await screen.findByRole('button', { name: 'Change and upload' }));
  await waitFor(() => expect(inputsOf(main.calls, 'uploadPlans.upload')).toHaveLength(1));
  expect(inputsOf(main.calls, 'uploadPlans.reclassified')).toHaveLength(2);
});

it('discards the typed text with the first Escape, and closes with the second', async () => {
  const { sheet, main, user } = await open([plain]);
  const field = within(sheet).getByRole('textbox', { name: 'Identifier of a.txt' });
  await user.click(field);
  await user.keyboard('typed{Escape}');
  expect(field).toHaveProperty('value', 'a.txt');
  expect(document.activeElement).toBe(sheet);
  const template = within(sheet).getByRole('textbox', { name: 'Name files by' });
  await user.type(template, 'x{Escape}');
  expect(template).toHaveProperty('value', '{path}');
  expect(inputsOf(main.calls, 'uploadPlans.setIdentifier')).toEqual([]);
  expect(inputsOf(main.calls, 'uploadPlans.setTemplate')).toEqual([]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(sheet.isConnected).toBe(false));
  expect(inputsOf(main.calls, 'uploadPlans.discard')).toEqual([{ id: 'd1' }]);
});

it('asks before Escape discards edits, and keeps them by default', async () => {
  const { sheet, main, user } = await open([plain], { edited: true });
  const picker = within(sheet).getByRole('combobox', { name: 'Classification' });
  await waitFor(() => expect(document.activeElement).toBe(picker));
  await user.keyboard('{Escape}');
  const question = screen.getByRole('alertdialog', { name: 'Discard this upload?' });
  expect(document.activeElement).toBe(within(question).getByRole('button', { name: 'Keep editing' }));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(picker));
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(sheet.isConnected).toBe(false));
  expect(inputsOf(main.calls, 'uploadPlans.discard')).toEqual([{ id: 'd1' }]);
});

it('restores the sheet that was open before a reload, with its choices', async () => {
  const changed = { ...plain, changed: true };
  const { plan, answers } = sheetOf([changed], {
    edited: true,
    changed: 1,
    choices: { request: 'deferred', ifExists: 'skip', classification: 'Mine' },
  });
  const { main } = renderInApp(<UploadSheet />, { ...answers, 'uploadPlans.current': plan });
  const sheet = await screen.findByRole('dialog', { name: 'Upload' });
  expect(within(sheet).getByRole('radio', { name: 'Deferred' })).toHaveProperty('checked', true);
  expect(within(sheet).getByRole('combobox', { name: 'If it exists' }).textContent).toContain('Skip');
  expect(within(sheet).getByRole('combobox', { name: 'Classification' })).toHaveProperty('value', 'Mine');
  await within(sheet).findByText('It has changed since you added it, and will be sent as it is now.');
  expect(inputsOf(main.calls, 'uploadPlans.choose')).toEqual([]);
});

it('stays open and says why when the upload cannot start', async () => {
  const { sheet, user } = await open(
    [plain],
    {},
    {
      'uploadPlans.upload': () => {
        throw new AppFailure({ code: 'tokenMissing' });
      },
    },
  );
  await user.click(within(sheet).getByRole('button', { name: 'Upload 1 object' }));
  await waitFor(() =>
    expect(sheet).toHaveProperty('textContent', expect.stringContaining('No access token.')),
  );
  expect(sheet.isConnected).toBe(true);
});

it('announces a failed change', async () => {
  const { table, user } = await open(
    [plain],
    {},
    {
      'uploadPlans.removeEntries': () => {
        throw new AppFailure({ code: 'notFound', what: 'uploadPlan' });
      },
    },
  );
  await user.click(within(table).getByRole('button', { name: 'Remove a.txt' }));
  await waitFor(() =>
    expect(screen.getByRole('alert', { name: 'Urgent messages' })).toHaveProperty(
      'textContent',
      expect.stringContaining('This upload has been closed.'),
    ),
  );
});

it('waits while folders are read, lists what was left out, and says if there is nothing', async () => {
  const { sheet } = await open([plain], {
    reading: true,
    refused: [{ name: 'private', error: { code: 'fileUnreadable', fileName: 'private' } }],
  });
  expect(sheet).toHaveProperty('textContent', expect.stringContaining('Adding files, 1 so far…'));
  expect(sheet).toHaveProperty(
    'textContent',
    expect.stringContaining('private was left out. Can’t read the file.'),
  );
  expect(within(sheet).getByRole('button', { name: 'Upload 1 object' })).toHaveProperty('disabled', true);
});

it('renders few rows of ten thousand', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    ...plain,
    id: index,
    fileName: `f${index}.txt`,
  }));
  const { table, main } = await open(many);
  expect(within(table).getAllByRole('row').length).toBeLessThan(60);
  expect(table.getAttribute('aria-rowcount')).toBe('10001');
  expect(inputsOf(main.calls, 'uploadPlans.page').length).toBeLessThan(5);
});

function drag(type: string, files: File[]) {
  const event = new Event(type, { bubbles: true, cancelable: true });
  const items = files.map(({ type }) => ({ kind: 'file', type }));
  Object.assign(event, { dataTransfer: { types: ['Files'], items, files, dropEffect: 'move' } });
  return event as Event & { dataTransfer: { dropEffect: string } };
}
const file = (name: string, type = 'text/plain') => new File(['x'], name, { type });

it('shows where dropped files go, and opens the sheet', async () => {
  const { answers } = sheetOf([plain]);
  const { main, container } = renderInApp(
    <>
      <DropTarget />
      <UploadSheet />
    </>,
    answers,
  );
  await waitFor(() => expect(main.answered).toContain('services.list'));
  await waitFor(() => {
    window.dispatchEvent(drag('dragenter', [file('a'), file('b')]));
    expect(container).toHaveProperty(
      'textContent',
      expect.stringContaining('Drop 2 files into Meridian Archive'),
    );
  });
  // A folder has no type, as files of unknown kinds have none.
  act(() => void window.dispatchEvent(drag('dragenter', [file('a'), file('photos', '')])));
  expect(container.textContent).toContain('Drop 2 items into Meridian Archive');
  window.dispatchEvent(drag('drop', [file('a'), file('b')]));
  expect(await screen.findByRole('dialog', { name: 'Upload' })).toBeDefined();
  expect(container).not.toHaveProperty('textContent', expect.stringContaining('Drop 2 files'));
  window.dispatchEvent(drag('drop', [file('c')]));
  await waitFor(() =>
    expect(inputsOf(main.calls, 'uploadPlans.addFiles')).toEqual([{ id: 'd1', grants: ['c'] }]),
  );
});

it.each([true, false])('moves rows dropped back, and uploads other files: own %s', async (isOwn) => {
  const { answers } = sheetOf([plain]);
  const move = vi.fn<(folder: string) => void>();
  const { main, container } = renderInApp(
    <>
      <p data-folder="archive">archive</p>
      <DropTarget />
      <UploadSheet />
    </>,
    { ...answers, 'takeOut.owns': () => ({ isOwn }) },
  );
  onTestFinished(() => useTakenOut.setState({ rows: null, isHeld: false }));
  act(() => holdTakenOut({ serviceId: testService.id, count: 1, move }));
  await waitFor(() => expect(main.answered).toContain('services.list'));
  const folder = screen.getByText('archive');
  folder.dispatchEvent(drag('dragenter', [file('a')]));
  folder.dispatchEvent(drag('dragover', [file('a')]));
  expect(container).not.toHaveProperty('textContent', expect.stringContaining('Drop'));
  expect(useDropFolder.getState().folder).toBe('archive');
  folder.dispatchEvent(drag('drop', [file('a')]));
  const opened = () => inputsOf(main.calls, 'uploadPlans.open');
  const uploads = [{ intoFolder: 'archive', grants: ['a'] }];
  const expected = isOwn ? [[['archive']], []] : [[], uploads];
  await waitFor(() => expect([move.mock.calls, opened()]).toMatchObject(expected));
  // Wait until the drop is handled, or it opens a sheet in the next test.
  await waitFor(() => expect(main.answered).toContain(isOwn ? 'takeOut.owns' : 'uploadPlans.open'));
});

it('shows where other files go although rows were dragged out before, and moves no rows of another service', async () => {
  const { answers } = sheetOf([plain]);
  const move = vi.fn<(folder: string) => void>();
  const { main, container } = renderInApp(
    <>
      <p data-folder="archive">archive</p>
      <DropTarget />
    </>,
    { ...answers, 'takeOut.owns': () => ({ isOwn: true }) },
  );
  onTestFinished(() => useTakenOut.setState({ rows: null, isHeld: false }));
  await waitFor(() => expect(main.answered).toContain('services.list'));
  const folder = screen.getByText('archive');
  const isShown = () => container.textContent.includes('Drop ');
  const hold = (serviceId: string, moveRows: typeof move | null) =>
    holdTakenOut({ serviceId, count: 1, move: moveRows });
  const enter = (...names: string[]) =>
    act(
      () =>
        void folder.dispatchEvent(
          drag(
            'dragenter',
            names.map((name) => file(name)),
          ),
        ),
    );

  hold(testService.id, move);
  enter('a');
  expect(isShown()).toBe(false);
  // A drag from another program sends no pointer events, so the rows still count as held.
  enter('b', 'c');
  await waitFor(() => expect(isShown()).toBe(true));
  act(() => void folder.dispatchEvent(drag('drop', [file('b'), file('c')])));
  const opened = () => main.answered.filter((name) => name === 'uploadPlans.open').length;
  await waitFor(() => expect(opened()).toBe(1));
  act(closeSheet);
  enter('d');
  await waitFor(() => expect(isShown()).toBe(true));

  hold(testService.id, null);
  folder.dispatchEvent(drag('dragover', [file('a')]));
  expect(useDropFolder.getState().folder).toBeNull();
  hold('another service', move);
  folder.dispatchEvent(drag('dragover', [file('a')]));
  expect(useDropFolder.getState().folder).toBe('archive');
  folder.dispatchEvent(drag('drop', [file('a')]));
  await waitFor(() => expect(opened()).toBe(2));
  expect(move).not.toHaveBeenCalled();
});

it('takes files dropped before the page was ready, in batches, into the restored sheet', async () => {
  if (window.cofferDrops) window.cofferDrops.isEarly = true;
  const over = drag('dragover', [file('a')]);
  window.dispatchEvent(over);
  expect(over.dataTransfer.dropEffect).toBe('copy');
  const many = Array.from({ length: 1200 }, (_, index) => file(`f${index}`));
  window.dispatchEvent(drag('drop', many));
  const { plan, answers } = sheetOf([plain]);
  const { main } = renderInApp(
    <>
      <UploadSheet />
      <DropTarget />
    </>,
    { ...answers, 'uploadPlans.current': plan },
  );
  const grants = () =>
    inputsOf(main.calls, 'uploadPlans.addFiles').map((input) => (input as { grants: string[] }).grants);
  await waitFor(() => expect(grants().flat()).toEqual(many.map(({ name }) => name)));
  expect(grants().length).toBeGreaterThan(2);
  expect(inputsOf(main.calls, 'uploadPlans.open')).toEqual([]);
  window.dispatchEvent(over);
  await screen.findByRole('dialog', { name: 'Upload' });
});

it('focuses the first invalid field; Ctrl+Enter saves the text being typed before it uploads', async () => {
  const { sheet, main, user } = await open([{ ...doubled, fileName: 'd.txt' }, plain]);
  await waitFor(() => expect(document.activeElement?.closest('.file__field--bad') ?? null).not.toBeNull());
  await user.keyboard('-2{Control>}{Enter}{/Control}');
  await waitFor(() => expect(sheet.isConnected).toBe(false));
  const names = main.calls.map(({ name }) => name);
  expect(names.indexOf('uploadPlans.setIdentifier')).toBeGreaterThan(-1);
  expect(names.indexOf('uploadPlans.setIdentifier')).toBeLessThan(names.indexOf('uploadPlans.upload'));
});

it('focuses the classification when none is chosen, without opening its list', async () => {
  const { sheet, user } = await open([plain]);
  const picker = within(sheet).getByRole('combobox', { name: 'Classification' });
  await waitFor(() => expect(document.activeElement).toBe(picker));
  expect(screen.queryByRole('listbox')).toBeNull();
  await user.click(picker);
  expect(await screen.findByRole('listbox')).toBeDefined();
});

it('focuses Upload when nothing is wrong and a classification is chosen', async () => {
  const { sheet } = await open([plain], { choices: { classification: 'Mine' } });
  const upload = within(sheet).getByRole('button', { name: 'Upload 1 object' });
  await waitFor(() => expect(document.activeElement).toBe(upload));
  expect(upload.getAttribute('aria-keyshortcuts')).toBe('Control+Enter');
});

it('inserts placeholders at the caret, and shows unknown ones while typing', async () => {
  const { sheet, main, user } = await open([plain], { choices: { classification: 'Mine' } });
  const parts = within(sheet).getByRole('toolbar', { name: 'Insert into the template' });
  const field = within(sheet).getByRole<HTMLInputElement>('textbox', { name: 'Name files by' });
  await user.click(within(parts).getByRole('button', { name: 'Date' }));
  expect(field.value).toBe('{path}{date}');
  expect(document.activeElement).toBe(field);
  await user.keyboard('/{Home}x-');
  await user.click(within(parts).getByRole('button', { name: 'Digest' }));
  expect(field.value).toBe('x-{hash8}{path}{date}/');
  const upload = within(sheet).getByRole('button', { name: 'Upload 1 object' });
  expect(upload).toHaveProperty('disabled', false);
  await user.keyboard('{{nope}');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(sheet.textContent?.replaceAll(/[\u2068\u2069]/g, '')).toContain(
    'Unknown part {nope}. You can use Path {path}, File name {name}, Base name {stem}, Extension {ext}, Date {date}, Digest {hash8}.',
  );
  expect(upload).toHaveProperty('disabled', true);
  await user.keyboard('{Enter}{Tab}{Control>}{Enter}{/Control}');
  expect(inputsOf(main.calls, 'uploadPlans.setTemplate')).toEqual([]);
  expect(inputsOf(main.calls, 'uploadPlans.upload')).toEqual([]);
  await user.type(field, '{Escape}');
  expect(field.value).toBe('{path}');
  await waitFor(() => expect(upload).toHaveProperty('disabled', false));
});

it('numbers all duplicates at once', async () => {
  const { sheet, main, user } = await open([{ ...doubled, fileName: 'd.txt' }, plain]);
  await user.click(within(sheet).getByRole('button', { name: 'Rename 1 duplicate' }));
  await within(sheet).findByRole('button', { name: 'Upload 2 objects' });
  expect(inputsOf(main.calls, 'uploadPlans.numberDuplicates')).toEqual([{ id: 'd1' }]);
});

it('shows why it reads files, and stops on request', async () => {
  const { sheet, main, user } = await open([plain, { ...plain, id: 9, fileName: 'b.txt' }], {
    template: '{hash8}',
    naming: true,
    reading: true,
    ready: 0,
  });
  expect(sheet.textContent).toContain('Computing digests, 0 of 2');
  await user.click(within(sheet).getByRole('button', { name: 'Stop' }));
  expect(inputsOf(main.calls, 'uploadPlans.setTemplate')).toEqual([
    { id: 'd1', template: '{path}', resetEdited: false },
  ]);
});

it('opens one sheet for drops that arrive together', async () => {
  const { answers } = sheetOf([plain]);
  const { main } = renderInApp(<DropTarget />, answers);
  await waitFor(() => expect(main.answered).toContain('services.list'));
  await waitFor(() => {
    window.dispatchEvent(drag('drop', [file('a')]));
    window.dispatchEvent(drag('drop', [file('b')]));
    expect(inputsOf(main.calls, 'uploadPlans.addFiles')).toContainEqual({ id: 'd1', grants: ['b'] });
  });
  expect(inputsOf(main.calls, 'uploadPlans.open')).toHaveLength(1);
});

it('accepts no files while another dialog is open', async () => {
  const { main } = renderInApp(
    <>
      <DropTarget />
      <Dialog isOpen onClose={() => {}} title="Something else" buttons={null}>
        It waits for an answer.
      </Dialog>
    </>,
  );
  await waitFor(() => expect(main.answered).toContain('services.list'));
  const over = drag('dragover', [file('a')]);
  window.dispatchEvent(over);
  expect(over.dataTransfer.dropEffect).toBe('none');
  expect(over.defaultPrevented).toBe(true);
  await act(async () => window.dispatchEvent(drag('drop', [file('a')])));
  expect(inputsOf(main.calls, 'uploadPlans.open')).toEqual([]);
});

it('accepts files while a closed dialog still fades out', async () => {
  const running = { playState: 'running', finished: new Promise(() => undefined) };
  vi.stubGlobal('CSSTransition', class {});
  Object.assign(HTMLElement.prototype, { getAnimations: () => [running] });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(HTMLElement.prototype, 'getAnimations');
  });
  const question = (isOpen: boolean) => (
    <Dialog isOpen={isOpen} onClose={() => {}} title="Something else" buttons={null}>
      It was answered.
    </Dialog>
  );
  const { answers } = sheetOf([plain]);
  const main = createFakeMain(answers);
  const inApp = (isOpen: boolean) => (
    <AppProvider client={main.client} features={features}>
      <DropTarget />
      {question(isOpen)}
    </AppProvider>
  );
  const { rerender } = render(inApp(true));
  await waitFor(() => expect(main.answered).toContain('services.list'));
  rerender(inApp(false));
  expect(screen.getByText('It was answered.')).toBeDefined();
  const over = drag('dragover', [file('a')]);
  window.dispatchEvent(over);
  expect(over.dataTransfer.dropEffect).toBe('copy');
  await waitFor(() => {
    window.dispatchEvent(drag('drop', [file('a')]));
    expect(inputsOf(main.calls, 'uploadPlans.open')).toMatchObject([{ grants: ['a'] }]);
  });
  expect(screen.getByText('It was answered.')).toBeDefined();
});

it('takes files that were dropped on the icon, also before the window was ready', async () => {
  const { answers } = sheetOf([plain]);
  let dropped = ['early'];
  const { main } = renderInApp(<DropTarget />, {
    ...answers,
    'files.takeDropped': () => ({ grants: dropped, refused: 0 }),
  });
  await waitFor(() =>
    expect(inputsOf(main.calls, 'uploadPlans.open')).toMatchObject([{ grants: ['early'] }]),
  );
  dropped = ['later'];
  main.emit('files.dropped', undefined);
  await waitFor(() =>
    expect(inputsOf(main.calls, 'uploadPlans.addFiles')).toEqual([{ id: 'd1', grants: ['later'] }]),
  );
});

it('uploads nothing by a press that was meant for something else when another program hands over files', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const { answers } = sheetOf([plain]);
  let dropped = ['early'];
  const { main, user } = renderInApp(
    <>
      <DropTarget />
      <UploadSheet />
    </>,
    { ...answers, 'files.takeDropped': () => ({ grants: dropped, refused: 0 }) },
  );
  const uploads = () => inputsOf(main.calls, 'uploadPlans.upload');
  const upload = await screen.findByRole('button', { name: 'Upload 1 object' });
  await user.click(upload);
  await user.keyboard('{Enter}{Control>}{Enter}{/Control}');
  expect(uploads()).toEqual([]);
  await leaveAlone();
  // More files are added under the hand.
  dropped = ['later'];
  main.emit('files.dropped', undefined);
  await waitFor(() => expect(upload.getAttribute('aria-disabled')).toBe('true'));
  await user.click(upload);
  expect(uploads()).toEqual([]);
  await leaveAlone();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(uploads()).toHaveLength(1));
});

it('refuses files that were dropped on the icon while another dialog is open, and says so', async () => {
  const { main } = renderInApp(
    <>
      <DropTarget />
      <LiveRegions />
      <Dialog isOpen onClose={() => {}} title="Something else" buttons={null}>
        It waits for an answer.
      </Dialog>
    </>,
    { 'files.takeDropped': ({ isWanted }) => ({ grants: [], refused: isWanted ? 0 : 2 }) },
  );
  expect(await screen.findByText('Close the open dialog first, then add the files.')).toBeTruthy();
  expect(inputsOf(main.calls, 'uploadPlans.open')).toEqual([]);
});

it('leaves pasted text to its field', () => {
  renderInApp(<DropTarget />);
  const paste = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(paste, { clipboardData: { types: ['text/plain', 'Files'], files: [file('a')] } });
  window.dispatchEvent(paste);
  expect(paste.defaultPrevented).toBe(false);
});

it('shows a message if no dropped file could be added', async () => {
  const main = createFakeMain();
  main.client.grantFiles = async (files) => ({ grants: [], refused: files.map(({ name }) => name) });
  render(
    <AppProvider client={main.client} features={features}>
      <DropTarget />
      <LiveRegions />
    </AppProvider>,
  );
  window.dispatchEvent(drag('drop', [file('mail'), file('page')]));
  await screen.findByText(/^mail and 1 more were left out\. Not a file on this computer\..*$/);
  await userEvent.click(screen.getByRole('button', { name: 'Close message' }));
  expect(screen.queryByText(/^mail and 1 more were left out/)).toBeNull();
});

it('shows the number of parts of a large file instead of a problem', async () => {
  const film = {
    ...plain,
    fileName: 'film.mov',
    identifier: 'film.mov',
    sizeBytes: 10_000_000_000,
    parts: 299,
  };
  await open([film]);
  expect(await screen.findByText('in 299 parts')).toBeTruthy();
  expect(screen.queryByText(/Too large/)).toBeNull();
});

it.each([
  ['of one file into an empty list asks for its row', true, [plain], true],
  [
    'of several shows the transfers',
    true,
    [plain, { ...plain, id: 4, fileName: 'b.txt', identifier: 'b.txt' }],
    false,
  ],
  ['into a list with rows shows the transfers', false, [plain], false],
])('an upload %s', async (_, isListEmpty, entries, isAwaited) => {
  useFirstUpload.setState({ isListEmpty, isAwaited: false });
  useDock.setState({ tab: 'jobs', isOpen: true, isNarrow: false, isPinned: false });
  const { sheet, user } = await open(entries);
  await user.click(await within(sheet).findByRole('button', { name: /^Upload \d object/ }));
  await waitFor(() => expect(sheet.isConnected).toBe(false));
  await waitFor(() => expect(useFirstUpload.getState().isAwaited).toBe(isAwaited));
  expect(useDock.getState().tab).toBe(isAwaited ? 'jobs' : 'transfers');
});

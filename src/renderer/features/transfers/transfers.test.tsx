import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { ConflictPrompt } from '../../../shared/domain/transfer-summary.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { AppFailure } from '../../../shared/app-failure.ts';
import { useDock } from '../../app/dock.ts';
import { useExpandedGroups } from '../../app/dock-list/list-layout.ts';
import { conflictPromptStore } from '../../app/conflict-prompt-store.ts';
import { leaveAlone, installQuestionClock } from '../../../../test-support/renderer/question-clock.ts';
import { openDock, sumUp } from '../../../../test-support/renderer/dock-world.tsx';
import {
  expectAccessible,
  pageOf,
  renderInApp,
  testSummary,
  testTransfer,
  type Answers,
  testService,
} from '../../../../test-support/renderer/testing.tsx';
import { LiveRegions } from '../../ui/announce.tsx';
import { useOpenDialogs } from '../../ui/open-dialogs.ts';
import { ConflictPromptDialog } from './ConflictPromptDialog.tsx';
import { StatusLine } from './StatusLine.tsx';
import { TransfersTab } from './TransfersTab.tsx';

afterEach(() => {
  conflictPromptStore.setState(conflictPromptStore.getInitialState());
  useExpandedGroups.setState(useExpandedGroups.getInitialState(), true);
});

const base: Transfer = { ...testTransfer, identifier: 'reports/a.pdf', totalBytes: 9_400_000 };
const failed: Transfer = {
  ...base,
  state: 'failed',
  waitingFor: null,
  error: { code: 'serverError', status: 500, retryAfterMs: null },
  activityToken: '9b41c07e',
};
const done: Transfer = {
  ...base,
  state: 'done',
  waitingFor: null,
  doneBytes: 9_400_000,
  outcome: { kind: 'stored', verifiedBy: 'length' },
};

/** A simulated list in main; `set` changes it and sends the event. */
async function open(start: readonly Transfer[], others: Answers = {}) {
  let rows = start;
  let revision = 1;
  const summary = () => ({ ...testSummary, revision, transfers: sumUp(rows) });
  const rendered = renderInApp(
    <main>
      <TransfersTab tab="transfers" />
      <StatusLine />
      <ConflictPromptDialog />
      <LiveRegions />
    </main>,
    {
      'transfers.page': ({ offset, limit }) => ({
        summary: summary(),
        counts: summary().transfers.counts,
        total: rows.length,
        offset,
        rows: rows.slice(offset, offset + limit),
      }),
      'transfers.retry': () => undefined,
      'transfers.cancel': () => undefined,
      'transfers.clear': () => undefined,
      'transfers.answer': () => undefined,
      ...others,
    },
  );
  const inputsOf = (wanted: string) =>
    rendered.main.calls.filter(({ name }) => name === wanted).map(({ input }) => input);
  const set = (next: readonly Transfer[]) => {
    rows = next;
    revision += 1;
  };
  const tell = () => rendered.main.emit('transfers.changed', summary());
  const setAndTell = (next: readonly Transfer[]) => {
    set(next);
    tell();
  };
  return { ...rendered, setUntold: set, tell, set: setAndTell, inputsOf };
}

const lines: [string, Partial<Transfer>, string, string][] = [
  ['its turn', {}, 'upload, Waiting', '1st in line'],
  ['a pause of its own', { waitingFor: 'paused' }, 'upload, Waiting', 'Paused'],
  ['idle times', { priority: 'whenIdle' }, 'upload, Waiting', 'When idleWhen nothing else is waiting'],
  [
    'a service that is away',
    {
      waitingFor: 'network',
      // A getter: the test may run long after this table was created.
      get retryAtMs() {
        return Date.now() + 1_800_000;
      },
      error: { code: 'unreachable', host: 'a.test', reason: 'refused' },
    },
    'upload, Waiting',
    'Waiting 30 min, can’t reach the serviceTry now',
  ],
  ['a token', { waitingFor: 'token' }, 'upload, Waiting', 'Waiting for a new token'],
  ['an answer', { waitingFor: 'answer' }, 'upload, Waiting', 'Waiting for your answer.'],
  [
    'the next try',
    {
      waitingFor: 'retry',
      retryAtMs: Date.now() + 3_600_000,
      error: { code: 'tooManyRequests', status: 429, retryAfterMs: null },
    },
    'upload, Waiting',
    ', too many requestsTry now',
  ],
  [
    'an upload',
    {
      state: 'uploading',
      waitingFor: null,
      doneBytes: 4_700_000,
      bytesPerSecond: 3_000_000,
      leftMs: 7000,
    },
    'upload, Uploading',
    '4.7 of 9.4 MB · 3.0 MB/s · 7 s left',
  ],
  [
    'a download of unknown length',
    { state: 'downloading', direction: 'download', waitingFor: null, doneBytes: 4_700_000, totalBytes: null },
    'download, Downloading',
    '4.7 MB',
  ],
  [
    'verifying',
    { state: 'verifying', waitingFor: null },
    'upload, Verifying',
    'Verifying the stored size9.4 MB',
  ],
  ['stored', done, 'upload, Done', 'Done, 9.4 MB, stored size matches'],
  [
    'saved',
    { ...done, direction: 'download', outcome: { kind: 'saved', fileName: 'a.pdf', verifiedBy: 'digest' } },
    'download, Done',
    'Done, 9.4 MB saved, digest matches',
  ],
  [
    'the same bytes',
    { ...done, outcome: { kind: 'skipped', isIdentical: true } },
    'upload, Done',
    'Already stored',
  ],
  [
    'skipped',
    { ...done, outcome: { kind: 'skipped' } },
    'upload, Done',
    'Done, skipped because it already exists',
  ],
  [
    'cancelled',
    { state: 'cancelled', waitingFor: null },
    'upload, Cancelled',
    'Cancelled, your file is unchanged',
  ],
  [
    'a fault of the service',
    failed,
    'upload, Failed',
    'Failed. The service had an error. Nothing is wrong on this computer. Coffer tried several times. Your file is unchanged.Upload again',
  ],
  [
    'a part only',
    { ...failed, error: { code: 'storedLengthDiffers', sentBytes: 10, storedBytes: 9 } },
    'upload, Failed',
    'Failed. Not stored completely. Only 9 bytes of 10 bytes are stored.',
  ],
];

it('shows the status of each', async () => {
  const { set } = await open([base], { 'transfers.conflictPrompt': () => ({ prompt: null }) });
  const list = await screen.findByRole('list', { name: 'Transfers' });
  for (const [at, [why, change, name, text]] of lines.entries()) {
    set([{ ...base, ...change, id: at + 2, identifier: `${why}.pdf` }]);
    const entry = await within(list).findByRole('listitem', { name: `${why}.pdf, ${name}` });
    await waitFor(() => expect(entry.textContent).toContain(text));
  }
});

it('explains an empty list, accessibly', async () => {
  const { set, baseElement } = await open([failed, { ...base, id: 2 }, { ...done, id: 3 }]);
  await screen.findByRole('listitem', { name: /Failed$/ });
  await expectAccessible(baseElement);
  set([]);
  expect(await screen.findByRole('heading', { name: 'No transfers' })).toBeDefined();
});

it('offers the best remedy, and actions for all', async () => {
  const { user, inputsOf } = await open([
    failed,
    { ...failed, id: 2 },
    { ...base, id: 3, state: 'uploading', waitingFor: null },
    { ...done, id: 4 },
  ]);
  const [again] = await screen.findAllByRole('button', { name: /^Upload again/ });
  if (again !== undefined) await user.click(again);
  await user.click(screen.getByRole('button', { name: 'Try all again' }));
  await user.click(screen.getByRole('button', { name: /^Cancel (?!all)/ }));
  await user.click(screen.getByRole('button', { name: 'Cancel all' }));
  await user.click(screen.getByRole('button', { name: 'Clear failed' }));
  await user.click(screen.getByRole('button', { name: 'Clear done' }));
  const tab = 'transfers';
  expect(inputsOf('transfers.retry')).toEqual([{ which: [1] }, { which: { tab } }]);
  expect(inputsOf('transfers.cancel')).toEqual([{ which: [3] }, { which: { tab } }]);
  expect(inputsOf('transfers.clear')).toEqual([
    { tab, group: 'needsYou' },
    { tab, group: 'done' },
  ]);
});

it('shows the failure of an action', async () => {
  const { user } = await open([failed], {
    'transfers.retry': () => {
      throw new AppFailure({ code: 'fileGone', fileName: 'a.pdf' });
    },
  });
  await user.click(await screen.findByRole('button', { name: /^Upload again/ }));
  expect(await screen.findByText('File not found. a.pdf is no longer where it was.')).toBeDefined();
});

it('says that the service has not answered yet after all bytes were sent', async () => {
  await open([{ ...base, state: 'uploading', waitingFor: null, doneBytes: 9_400_000 }]);
  expect((await screen.findByRole('listitem')).textContent).toContain('Sent, waiting for the service');
});

it('asks before it cancels more than twenty', async () => {
  const many = Array.from({ length: 21 }, (_, at) => ({ ...base, id: at + 1 }));
  const { user, inputsOf } = await open(many);
  await user.click(await screen.findByRole('button', { name: 'Cancel all' }));
  let dialog = await screen.findByRole('alertdialog', { name: 'Cancel 21 transfers?' });
  await user.click(within(dialog).getByRole('button', { name: 'Don’t cancel' }));
  expect(inputsOf('transfers.cancel')).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Cancel all' }));
  dialog = await screen.findByRole('alertdialog');
  await user.click(within(dialog).getByRole('button', { name: 'Cancel all' }));
  await waitFor(() => expect(inputsOf('transfers.cancel')).toEqual([{ which: { tab: 'transfers' } }]));
});

it('keeps Pause all and Cancel all above the list, even with a thousand failures first', async () => {
  await open([
    ...Array.from({ length: 1000 }, (_, at) => ({ ...failed, id: at + 1 })),
    { ...base, id: 2000 },
  ]);
  const cancel = await screen.findByRole('button', { name: 'Cancel all' });
  expect(cancel.closest('.transfers')).toBeNull();
  expect(screen.getByText('1 to go')).toBeTruthy();
});

it('shows the date with its year for what finished on another day', async () => {
  await open([{ ...done, finishedAtMs: new Date(2019, 10, 3, 9, 5).getTime() }]);
  expect((await screen.findByRole('listitem')).textContent).toContain('2019');
});

it('renders few entries of ten thousand', async () => {
  await open(Array.from({ length: 10_000 }, (_, index) => ({ ...done, id: index + 1 })));
  const fold = await screen.findByRole('button', { name: '10,000 finished' });
  expect(screen.queryByRole('listitem')).toBeNull();
  act(() => fold.click());
  const items = await screen.findAllByRole('listitem');
  expect(items.length).toBeLessThan(60);
  expect(items[0]?.getAttribute('aria-setsize')).toBe('10000');
});

it('announces finished transfers together, and names a single one', async () => {
  const { set } = await open([{ ...done, id: 4, finishedAtMs: 1 }]);
  await screen.findByRole('listitem');
  const finishedAtMs = Date.now() + 10;
  set([
    { ...failed, id: 9, identifier: 'b.pdf', finishedAtMs },
    { ...done, id: 1, finishedAtMs },
    { ...done, id: 2, finishedAtMs },
    { ...done, id: 3, finishedAtMs, outcome: { kind: 'skipped' } },
    { ...done, id: 4, finishedAtMs: 1 },
    { ...base, id: 5, state: 'cancelled', waitingFor: null, finishedAtMs },
  ]);
  await waitFor(() =>
    expect(screen.getByRole('status', { name: 'Messages' }).textContent).toBe(
      '2 uploads done, 1 upload skipped',
    ),
  );
  await waitFor(() =>
    expect(screen.getByRole('alert', { name: 'Urgent messages' }).textContent).toBe(
      'b.pdf failed. The service had an error',
    ),
  );
});

it('names the service of a transfer if it is not the active one', async () => {
  await open([base, { ...base, id: 2, identifier: 'b.pdf', serviceId: 'p2' }], {
    'services.list': () => ({
      revision: 1,
      services: [testService, { ...testService, id: 'p2', name: 'Field office' }],
      activeId: 'p1',
    }),
  });
  expect((await screen.findByRole('listitem', { name: /^b\.pdf/ })).textContent).toContain('Field office');
  const own = screen.getByRole('listitem', { name: new RegExp(base.identifier) });
  expect(own.textContent).not.toContain(testService.name);
});

const saved = (id: number): Transfer => ({
  ...done,
  id,
  direction: 'download',
  outcome: { kind: 'saved', fileName: `${id}.pdf`, verifiedBy: 'digest' },
  finishedAtMs: Date.now() + 10,
});

it('opens a downloaded document by Enter, and shows any other file in its folder', async () => {
  const downloaded = (id: number, fileName: string): Transfer => ({
    ...saved(id),
    identifier: fileName,
    outcome: { kind: 'saved', fileName, verifiedBy: 'digest' },
  });
  const { user, inputsOf } = await open([downloaded(1, 'a.pdf'), downloaded(2, 'a.pdf.vsto')], {
    'transfers.openFile': () => ({ fileName: 'a.pdf', isChanged: false }),
    'transfers.showInFolder': () => undefined,
  });
  const entry = (name: string) => screen.findByRole('listitem', { name: new RegExp(`^${name},`) });
  for (const name of ['a.pdf', 'a.pdf.vsto']) {
    const shown = await entry(name);
    act(() => shown.focus());
    await user.keyboard('{Enter}');
  }
  expect(inputsOf('transfers.openFile')).toEqual([{ id: 1 }]);
  expect(inputsOf('transfers.showInFolder')).toEqual([{ ids: [2] }]);
  expect(within(await entry('a.pdf.vsto')).queryByRole('button', { name: 'Open' })).toBeNull();
});

it('says a copy that was opened, or shown in its folder', async () => {
  const copied = (id: number, fileName: string): Transfer => ({
    ...saved(id),
    identifier: fileName,
    outcome: { kind: 'saved', fileName, verifiedBy: 'digest', copyFor: 'open' },
  });
  await open([copied(1, 'a.pdf'), copied(2, 'a.vsto')]);
  expect(await screen.findByText(/^Opened, /)).toBeTruthy();
  expect(await screen.findByText(/^A copy was shown in its folder, /)).toBeTruthy();
});

it('says where downloads were saved, and shows it', async () => {
  const { set, user, inputsOf } = await open([{ ...base, id: 1 }], {
    'transfers.savedIn': () => ({ folder: '~/Downloads/Archive' }),
    'transfers.showInFolder': () => undefined,
  });
  await screen.findByRole('listitem');
  set([saved(1), saved(2)]);
  const messages = screen.getByRole('status', { name: 'Messages' });
  await waitFor(() => expect(messages.textContent).toBe('2 downloaded to ~/Downloads/Archive'));
  await user.click(
    within(messages.parentElement ?? messages).getByRole('button', { name: 'Show in folder' }),
  );
  expect(inputsOf('transfers.showInFolder')).toEqual([{ ids: [1, 2] }]);
});

it('says where downloads were saved while an upload moves, and shows it', async () => {
  const upload: Transfer = { ...base, id: 9, state: 'uploading', waitingFor: null };
  const { set, user, inputsOf } = await open([upload, { ...base, id: 1, direction: 'download' }], {
    'transfers.savedIn': () => ({ folder: '~/Downloads/Archive' }),
    'transfers.showInFolder': () => undefined,
  });
  await screen.findAllByRole('listitem');
  set([upload, saved(1), saved(2)]);
  const messages = screen.getByRole('status', { name: 'Messages' });
  await waitFor(() => expect(messages.textContent).toBe('2 downloaded to ~/Downloads/Archive'));
  await user.click(
    within(messages.parentElement ?? messages).getByRole('button', { name: 'Show in folder' }),
  );
  expect(inputsOf('transfers.showInFolder')).toEqual([{ ids: [1, 2] }]);
  set([saved(1), saved(2), { ...done, id: 9, identifier: 'c.pdf', finishedAtMs: Date.now() + 10 }]);
  await waitFor(() => expect(messages.textContent).toBe('c.pdf stored'));
});

it('announces uploads and downloads that end together one after the other', async () => {
  const { set } = await open([{ ...base, id: 1 }], {
    'transfers.savedIn': () => ({ folder: '~/Downloads/Archive' }),
  });
  await screen.findByRole('listitem');
  set([saved(1), saved(2), { ...done, id: 3, identifier: 'c.pdf', finishedAtMs: Date.now() + 10 }]);
  const messages = screen.getByRole('status', { name: 'Messages' });
  await waitFor(() => expect(messages.textContent).toBe('c.pdf stored'));
  await waitFor(() => expect(messages.textContent).toBe('2 downloaded to ~/Downloads/Archive'));
});

it('does not announce files fetched to be dragged or copied, which are announced there', async () => {
  const { set } = await open([{ ...base, id: 1 }], {
    'transfers.savedIn': () => ({ folder: '~/Downloads' }),
  });
  await screen.findByRole('listitem');
  const copy = { kind: 'saved', fileName: '2.pdf', verifiedBy: 'digest', copyFor: 'takeOut' } as const;
  set([saved(1), { ...saved(2), outcome: copy }]);
  const messages = screen.getByRole('status', { name: 'Messages' });
  await waitFor(() => expect(messages.textContent).toBe('1.pdf downloaded to ~/Downloads'));
});

it('says where the latest of many downloads were saved, and shows it', async () => {
  const { set, user, inputsOf } = await open([{ ...base, id: 1 }], {
    'transfers.savedIn': () => ({ folder: '~/Downloads/Archive' }),
    'transfers.showInFolder': () => undefined,
  });
  await screen.findByRole('listitem');
  const ids = Array.from({ length: 501 }, (_, at) => at + 1);
  set(ids.map(saved));
  const messages = screen.getByRole('status', { name: 'Messages' });
  const text = '501 downloads done. The latest downloads are in ~/Downloads/Archive.';
  await waitFor(() => expect(messages.textContent).toBe(text));
  await user.click(
    within(messages.parentElement ?? messages).getByRole('button', { name: 'Show in folder' }),
  );
  expect(inputsOf('transfers.showInFolder')).toEqual([{ ids: ids.slice(0, 500) }]);
});

it('says that a secret is stored', async () => {
  const { set } = await open([{ ...base, id: 1 }]);
  await screen.findByRole('listitem');
  const secret = { kind: 'secret', identifier: 'keys/db', outcome: null } as const;
  set([{ ...done, ...secret, id: 2, finishedAtMs: Date.now() + 10 }]);
  const messages = screen.getByRole('status', { name: 'Messages' });
  await waitFor(() => expect(messages.textContent).toBe('keys/db stored'));
});

const prompt: ConflictPrompt = {
  transferId: 1,
  identifier: 'reports/a.pdf',
  waiting: 3,
  yours: { lengthBytes: 1_204_118, modifiedAtMs: 2000, sha256: 'a'.repeat(64), classification: null },
  stored: {
    lengthBytes: 1_098_240,
    storedAtMs: 1000,
    sha256: 'b'.repeat(64),
    classification: null,
    known: true,
  },
  keepBothIdentifier: 'reports/a-2.pdf',
  newVersionIdentifier: 'reports/a@2.pdf',
  changes: {},
  sameBytes: 0,
};
const asked = [1, 2, 3].map((id) => ({ ...base, id, waitingFor: 'answer' as const }));
const theDialog = { name: 'reports/a.pdf already exists' };
/** Once it can be answered. */
async function findPrompt(): Promise<HTMLElement> {
  const dialog = await screen.findByRole('dialog', theDialog);
  await leaveAlone();
  return dialog;
}

describe('a conflict prompt', () => {
  installQuestionClock();
  it('asks, compares, and answers for one', async () => {
    const { user, baseElement, inputsOf } = await open(asked, {
      'transfers.conflictPrompt': () => ({ prompt }),
    });
    const dialog = await findPrompt();
    for (const words of ['1 of 3', 'Yours is larger', 'Same']) expect(dialog.textContent).toContain(words);
    expect(dialog.textContent).not.toContain('SHA-256');
    // Two clocks: no verdict.
    expect(within(dialog).getByRole('row', { name: /^Date/ }).textContent).toMatch(
      /^DateChanged .+Stored .+–$/,
    );
    await expectAccessible(baseElement);
    await user.click(within(dialog).getByRole('radio', { name: /^Skip/ }));
    await user.click(within(dialog).getByRole('button', { name: 'Skip 1 object' }));
    expect(inputsOf('transfers.answer')).toEqual([{ transferId: 1, answer: 'skip', applyToAll: false }]);
  });

  it('shows which classification an answer keeps', async () => {
    const stored = { ...prompt.stored, classification: 'Secret' };
    const keeps = { replace: 'Secret', newVersion: 'Restricted' };
    await open(asked, { 'transfers.conflictPrompt': () => ({ prompt: { ...prompt, stored, keeps } }) });
    const dialog = await findPrompt();
    const textOf = (name: RegExp) =>
      within(dialog).getByRole('radio', { name }).closest('label')?.textContent;
    expect(textOf(/^Replace/)).toContain('The classification stays Secret.');
    expect(textOf(/^New version/)).toContain('The classification stays Restricted.');
    expect(textOf(/^Keep both/)).not.toContain('classification');
    expect(within(dialog).getByRole('row', { name: /^Class/ }).textContent).toBe(
      'ClassificationNot chosenSecret–',
    );
  });

  it('shows which classification an answer changes', async () => {
    const yours = { ...prompt.yours, classification: 'Public' };
    const changes = { replace: 'Restricted', newVersion: null };
    await open(asked, { 'transfers.conflictPrompt': () => ({ prompt: { ...prompt, yours, changes } }) });
    const dialog = await findPrompt();
    const textOf = (name: RegExp) =>
      within(dialog).getByRole('radio', { name }).closest('label')?.textContent;
    expect(textOf(/^Replace/)).toContain('The classification Restricted becomes Public.');
    expect(textOf(/^New version/)).toContain('The classification Default becomes Public.');
    expect(textOf(/^Keep both/)).not.toContain('classification');
  });

  it('says that answering for all gives the others their chosen classification, too', async () => {
    const { user } = await open(asked, { 'transfers.conflictPrompt': () => ({ prompt }) });
    const dialog = await findPrompt();
    const textOf = (name: RegExp) =>
      within(dialog).getByRole('radio', { name }).closest('label')?.textContent;
    const words = 'The others get the classification chosen for them, too. If none was chosen, theirs stays.';
    expect(dialog.textContent).not.toContain(words);
    await user.click(within(dialog).getByRole('checkbox', { name: 'Do this for all 3' }));
    expect(textOf(/^New version/)).toContain(words);
    await user.click(within(dialog).getByRole('radio', { name: /^Replace/ }));
    expect(textOf(/^Replace/)).toContain(words);
    expect(textOf(/^New version/)).not.toContain(words);
    await user.click(within(dialog).getByRole('radio', { name: /^Skip/ }));
    expect(dialog.textContent).not.toContain(words);
  });

  it.each([
    ['New version', 'newVersion', 'Store as a new version', 'Store 3 objects as new versions'],
    ['Replace', 'replace', 'Replace 1 object', 'Replace 3 objects'],
    ['Keep both', 'keepBoth', 'Keep both of 1 object', 'Keep both of 3 objects'],
    ['Skip', 'skip', 'Skip 1 object', 'Skip 3 objects'],
  ])('%s: the button repeats the answer', async (radio, answer, forOne, forAll) => {
    const { user, inputsOf } = await open(asked, { 'transfers.conflictPrompt': () => ({ prompt }) });
    const dialog = await findPrompt();
    await user.click(within(dialog).getByRole('radio', { name: new RegExp(`^${radio}`) }));
    expect(within(dialog).getByRole('button').textContent).toBe(forOne);
    await user.click(within(dialog).getByRole('checkbox', { name: 'Do this for all 3' }));
    await user.click(within(dialog).getByRole('button', { name: forAll }));
    expect(inputsOf('transfers.answer')).toEqual([{ transferId: 1, answer, applyToAll: true }]);
  });

  it('preselects New version, which destroys nothing, and shows its name', async () => {
    await open(asked, { 'transfers.conflictPrompt': () => ({ prompt: { ...prompt, sameBytes: 3 } }) });
    const dialog = await findPrompt();
    const [first] = within(dialog).getAllByRole<HTMLInputElement>('radio');
    expect(first?.checked).toBe(true);
    expect(dialog.textContent).toContain('Yours is stored as a@2.pdf. The list shows the newest');
    expect(dialog.textContent).toContain('Yours is stored as a-2.pdf, an object of its own.');
    expect(dialog.textContent).toContain(
      'Already stored. 3 other files are stored already, unchanged. They were not sent.',
    );
  });

  it('answers for all', { tags: 'all' }, async () => {
    const { user, inputsOf } = await open(asked, { 'transfers.conflictPrompt': () => ({ prompt }) });
    const dialog = await findPrompt();
    await user.click(within(dialog).getByRole('radio', { name: /^Keep both/ }));
    await user.click(within(dialog).getByRole('checkbox', { name: 'Do this for all 3' }));
    await user.click(within(dialog).getByRole('button', { name: 'Keep both of 3 objects' }));
    expect(inputsOf('transfers.answer')).toEqual([{ transferId: 1, answer: 'keepBoth', applyToAll: true }]);
  });

  it('stays closed until more uploads wait or the person asks', async () => {
    const { user, set } = await open(asked, { 'transfers.conflictPrompt': () => ({ prompt }) });
    await findPrompt();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const [answer] = await screen.findAllByRole('button', { name: /^Answer/ });
    if (answer !== undefined) await user.click(answer);
    await findPrompt();
    await user.click(screen.getByRole('radio', { name: /^Answer later/ }));
    expect(screen.queryByRole('checkbox')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Answer later' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    set(asked.slice(1));
    await screen.findByRole('button', { name: /2 need an answer/ });
    set(asked.slice(1).concat({ ...base, id: 4, waitingFor: 'answer' }));
    await findPrompt();
  });

  it('does not reopen for uploads that were waiting when it was closed, even if main reports them later', async () => {
    const { user, setUntold, tell, inputsOf } = await open(asked.slice(0, 1), {
      'transfers.conflictPrompt': () => ({ prompt }),
    });
    await findPrompt();
    setUntold(asked);
    await user.keyboard('{Escape}');
    tell();
    await screen.findByRole('button', { name: /3 need an answer/ });
    expect(inputsOf('transfers.conflictPrompt')).toHaveLength(1);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('does not open again because a watched folder asks', async () => {
    const summary = { promptsToOpen: 1 };
    const { user, set } = await openDock(
      'transfers',
      { transfers: asked.slice(0, 1), summary },
      { 'transfers.conflictPrompt': () => ({ prompt }) },
    );
    await findPrompt();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    set({ transfers: asked });
    await screen.findByRole('button', { name: /3 need an answer/ });
    expect(screen.queryByRole('dialog')).toBeNull();
    set({ summary: { promptsToOpen: 2 } });
    await findPrompt();
  });

  it('shows the next prompt only when the answer has arrived', async () => {
    const arrival = Promise.withResolvers<undefined>();
    const { user, set, inputsOf } = await open(asked, {
      'transfers.conflictPrompt': () => ({ prompt }),
      'transfers.answer': () => arrival.promise,
    });
    const dialog = await findPrompt();
    await user.click(within(dialog).getByRole('button', { name: 'Store as a new version' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    set(asked.concat({ ...base, id: 4, waitingFor: 'answer' }));
    await screen.findByRole('button', { name: /4 need an answer/ });
    expect(inputsOf('transfers.conflictPrompt')).toHaveLength(1);
    arrival.resolve(undefined);
    await findPrompt();
    expect(inputsOf('transfers.conflictPrompt')).toHaveLength(2);
  });

  it('does not cover another dialog, as the preparation of another upload', async () => {
    useOpenDialogs.setState({ count: 1 });
    await open(asked, { 'transfers.conflictPrompt': () => ({ prompt }) });
    await screen.findByRole('button', { name: /need an answer/ });
    expect(screen.queryByRole('dialog', theDialog)).toBeNull();
    act(() => useOpenDialogs.setState({ count: 0 }));
    expect(await screen.findByRole('dialog', theDialog)).toBeDefined();
  });

  it('takes no press that was meant for what was there before, and none for the prompt before it', async () => {
    const [a, b] = [prompt, { ...prompt, transferId: 2, identifier: 'reports/b.pdf' }];
    let next = a;
    const { user, inputsOf } = await open(asked, {
      'transfers.conflictPrompt': () => ({ prompt: next }),
      'transfers.answer': () => {
        next = b;
      },
    });
    const button = () => screen.findByRole('button', { name: 'Store as a new version' });
    await user.click(await button());
    await user.keyboard('{Enter} ');
    expect(inputsOf('transfers.answer')).toEqual([]);
    await leaveAlone();
    await user.click(await button());
    await screen.findByRole('dialog', { name: 'reports/b.pdf already exists' });
    await user.click(await button());
    expect(inputsOf('transfers.answer')).toHaveLength(1);
    await leaveAlone();
    await user.click(await button());
    expect(inputsOf('transfers.answer')).toMatchObject([{ transferId: 1 }, { transferId: 2 }]);
  });
});

it('shows the activity in one line, and opens the dock', async () => {
  useDock.setState({ tab: 'details', isOpen: false });
  const summary = {
    ...testSummary,
    transfers: {
      ...testSummary.transfers,
      counts: { closing: 0, needsYou: 2, moving: 3, waiting: 1, done: 0 },
      failed: 1,
      unanswered: 1,
    },
    bytesPerSecond: 4_000_000,
    leftMs: 15_000,
    fraction: 0.541,
  };
  const { user } = renderInApp(<StatusLine />, {
    'transfers.page': () => pageOf(summary),
  });
  await user.click(await screen.findByText('3 moving'));
  expect(screen.getByRole('button').textContent).toBe(
    '3 moving54%4.0 MB/s15 s left1 failed1 needs an answer1 waiting',
  );
  expect(useDock.getState()).toMatchObject({ tab: 'transfers', isOpen: true });
});

it('says in the bottom line what all that waits waits for, and what is paused once', async () => {
  const error = { code: 'tooManyRequests', status: 429, retryAfterMs: null } as const;
  const cause = {
    serviceId: 'p1',
    group: 'waiting',
    code: error.code,
    count: 13,
    error,
    retryAtMs: null,
  } as const;
  const counts = { closing: 0, needsYou: 0, moving: 0, waiting: 13, done: 0 };
  let summary = { ...testSummary, transfers: { ...testSummary.transfers, counts, causes: [cause] } };
  const { main } = renderInApp(<StatusLine />, { 'transfers.page': () => pageOf(summary) });
  expect(await screen.findByText('13 waiting: too many requests')).toBeTruthy();
  summary = { ...summary, revision: 2, paused: { all: true, byHour: false, serviceIds: [] }, finishing: 4 };
  act(() => main.emit('transfers.changed', summary));
  await waitFor(() => expect(screen.getByRole('button').textContent).toBe('Paused, 4 finish first'));
});

import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isFinished, type Transfer } from '../../../shared/domain/transfer.ts';
import {
  transferGroupSchema,
  type TransferGroup,
  type TransferSummary,
} from '../../../shared/domain/transfer-summary.ts';
import { Dock } from '../../shell/Dock.tsx';
import { useDock } from '../../app/dock.ts';
import {
  expectAccessible,
  renderInApp,
  testSummary,
  testTransfer,
  type Answers,
} from '../../../../test-support/renderer/testing.tsx';
import { countGroups, sumUp } from '../../../../test-support/renderer/dock-world.tsx';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { LiveRegions } from '../../ui/announce.tsx';
import { JobsStatus } from './JobsStatus.tsx';

const startMs = new Date(2026, 6, 15, 17, 42).getTime();
const minuteMs = 60_000;
const secretUpload = { kind: 'secret', direction: 'upload', state: 'failed' } as const;
const diskFull = { code: 'diskFull', folderName: 'Downloads' } as const;
const theWindow = {
  endsAtMs: startMs + 24 * minuteMs,
  isPast: false,
  checks: 12,
  nextCheckAtMs: startMs + 8000,
};
const base: Transfer = {
  ...testTransfer,
  route: 'deferred',
  direction: 'download',
  identifier: 'imaging/a.tif',
  state: 'processing',
  waitingFor: null,
  createdAtMs: startMs - 6 * minuteMs,
  window: theWindow,
  totalBytes: null,
};
const missing: Transfer['error'] = { code: 'missing', status: 404 };
const heldUp = {
  direction: 'upload',
  state: 'verifying',
  window: null,
  waitingFor: 'retry',
  retryAtMs: startMs + 10 * minuteMs,
  error: { code: 'serverError', status: 503, retryAfterMs: 600_000 },
} as const;
const replacing: Transfer['replacing'] = {
  isReclassification: false,
  step: 'store',
  isOut: true,
  oldIsHere: true,
  newIsHere: true,
  oldBeside: null,
  newBeside: 'imaging/a.tif~r-0123456789abcdef',
  againAtMs: null,
};
const lost: Transfer = {
  ...base,
  state: 'lost',
  error: missing,
  window: null,
  finishedAtMs: startMs,
  activityToken: '9b41c07e',
};
const done: Transfer = {
  ...base,
  state: 'done',
  totalBytes: 44_000_000,
  window: null,
  finishedAtMs: startMs - 2 * minuteMs,
  outcome: { kind: 'saved', fileName: 'a.tif', verifiedBy: 'digest' },
};

function groupOf({ state, window }: Transfer): TransferGroup {
  if (state === 'lost' || state === 'failed') return 'needsYou';
  if (isFinished(state)) return 'done';
  if (window !== null && window.endsAtMs - startMs <= 2 * minuteMs) return 'closing';
  return state === 'waiting' ? 'waiting' : 'moving';
}

/** The dock with the Jobs tab, over a simulated list in main; `set` changes it and sends the event. */
async function open(start: readonly Transfer[], others: Answers = {}, paused = testSummary.paused) {
  vi.useFakeTimers({ shouldAdvanceTime: true, now: startMs });
  useDock.setState({ tab: 'jobs', isOpen: true });
  let rows = start;
  let revision = 1;
  const summary = (): TransferSummary => ({
    ...testSummary,
    revision,
    paused,
    jobs: sumUp(rows, groupOf),
  });
  const rendered = renderInApp(
    <>
      <main>
        <JobsStatus />
      </main>
      <Dock separator="/" />
      <LiveRegions />
    </>,
    {
      'transfers.page': ({ tab, offset, limit, filter = '' }) => {
        const { options } = transferGroupSchema;
        const found = (tab === 'jobs' ? rows : [])
          .filter(({ identifier }) => identifier.includes(filter))
          .toSorted((a, b) => options.indexOf(groupOf(a)) - options.indexOf(groupOf(b)));
        return {
          summary: summary(),
          counts: countGroups(found.map(groupOf)),
          total: found.length,
          offset,
          rows: found.slice(offset, offset + limit),
        };
      },
      'transfers.retry': () => undefined,
      'transfers.cancel': () => undefined,
      'transfers.clear': () => undefined,
      'transfers.showInFolder': () => undefined,
      'transfers.copyActivityToken': () => undefined,
      ...others,
    },
  );
  const inputsOf = (wanted: string) =>
    rendered.main.calls.filter(({ name }) => name === wanted).map(({ input }) => input);
  const set = (next: readonly Transfer[]) => {
    rows = next;
    revision += 1;
    act(() => rendered.main.emit('transfers.changed', summary()));
  };
  if (start.length > 0) await screen.findAllByRole('listitem');
  return { ...rendered, set, inputsOf };
}

function pass(durationMs: number): void {
  act(() => void vi.advanceTimersByTime(durationMs));
}

afterEach(() => {
  vi.useRealTimers();
  useDock.setState(useDock.getInitialState());
});

const lines: [string, Partial<Transfer>, string, string][] = [
  [
    'processing, how long and how often',
    {},
    'download, Processing',
    'Processing, checking in 8 sCheck nowDownload, 6 min so far, 12 checks',
  ],
  [
    'a check on its way',
    { window: { ...theWindow, nextCheckAtMs: startMs } },
    'download, Processing',
    'Processing, checking now',
  ],
  [
    'a service that is away',
    { waitingFor: 'network', error: { code: 'unreachable', host: 'a.test', reason: 'offline' } },
    'download, Processing',
    'Processing, this computer is offline',
  ],
  ['no token', { waitingFor: 'token' }, 'download, Processing', 'Processing, waiting for a new token'],
  [
    'a service that is asked too often',
    { waitingFor: 'retry', error: { code: 'tooManyRequests', status: 429, retryAfterMs: 8000 } },
    'download, Processing',
    'Download, too many requests, 12 checks',
  ],
  [
    'past its window',
    { window: { ...theWindow, isPast: true, endsAtMs: startMs + 3 * minuteMs } },
    'download, Processing',
    'Past its window, still answering, 12 checks',
  ],
  [
    'past its window, and nobody answers',
    { window: { ...theWindow, isPast: true, endsAtMs: startMs + 3 * minuteMs }, waitingFor: 'network' },
    'download, Processing',
    'Past its window, 12 checks',
  ],
  [
    'bytes that come',
    { state: 'downloading', doneBytes: 31_400_000, totalBytes: 43_600_000 },
    'download, Downloading',
    'Downloading, 31.4 of 43.6 MB',
  ],
  [
    'bytes that go',
    {
      state: 'uploading',
      direction: 'upload',
      window: null,
      doneBytes: 10_100_000,
      totalBytes: 24_600_000,
    },
    'upload, Uploading',
    'Uploading, 10.1 of 24.6 MB',
  ],
  ['a result that waits', { state: 'ready' }, 'download, Downloading', 'Downloading, next in line'],
  [
    'an answer that was lost',
    { state: 'unsure', direction: 'upload', window: null },
    'upload, Verifying',
    'Verifying what was stored',
  ],
  [
    'a Replace that is held up',
    { ...heldUp, replacing },
    'upload, Waiting',
    'Waiting 10 min, both versions are kept: the service had an error',
  ],
  [
    'a Replace without a token',
    { ...heldUp, replacing, waitingFor: 'token', retryAtMs: null },
    'upload, Waiting',
    'Waiting for a new token, both versions are kept',
  ],
  ['a comparison that is held up', heldUp, 'upload, Waiting', 'Waiting 10 min, the service had an error'],
  ['its turn', { state: 'waiting', waitingFor: 'turn', window: null }, 'download, Waiting', '1st in line'],
  ['done', done, 'download, Done', 'Done in 4 min, 44.0 MB saved, digest matches'],
  [
    'cancelled',
    { state: 'cancelled', finishedAtMs: startMs },
    'download, Cancelled',
    'Cancelled, the service may still continue',
  ],
  ['lost', lost, 'download, Result lost', 'The stored object is unchanged.'],
  [
    'a lost upload',
    { ...lost, direction: 'upload', error: null },
    'upload, Result lost',
    'Coffer checks what was stored.',
  ],
  [
    'a secret that may be stored',
    {
      state: 'failed',
      direction: 'upload',
      kind: 'secret',
      finishedAtMs: startMs,
      error: { code: 'connectionLost', doneBytes: 10, expectedBytes: 10, outcomeUnknown: true },
    },
    'upload, Failed',
    'To find out whether it was stored, reveal it.',
  ],
  [
    'a failure',
    {
      state: 'failed',
      direction: 'upload',
      finishedAtMs: startMs,
      error: { code: 'serverError', status: 500, retryAfterMs: null },
    },
    'upload, Failed',
    'Your file is unchanged.',
  ],
];

describe('an entry of the jobs', () => {
  it.each(lines)('shows %s', async (_, change, name, line) => {
    await open([{ ...base, ...change }]);
    const entry = screen.getByRole('listitem', { name: `imaging/a.tif, deferred ${name}` });
    expect(entry.textContent).toContain(line);
  });

  it('offers to retry a job that is held up', async () => {
    const { user, inputsOf } = await open([{ ...base, ...heldUp, replacing }]);
    await user.click(screen.getByRole('button', { name: /^Try now/ }));
    expect(inputsOf('transfers.retry')).toEqual([{ which: [1] }]);
  });

  it('empties its ring with the window: teal, amber from 10 minutes, red from 2', async () => {
    const { container } = await open([
      { ...base, window: { ...theWindow, endsAtMs: startMs + 24.5 * minuteMs } },
    ]);
    const ring = () => {
      const clock = container.querySelector('.job__ring');
      return [
        clock?.className.replace('job__ring job__ring--', ''),
        clock?.querySelector('text')?.textContent,
      ];
    };
    expect(ring()).toEqual(['moving', '24']);
    expect(screen.getByText('24 min left in its window')).toBeTruthy();
    pass(14.5 * minuteMs);
    expect(ring()).toEqual(['wait', '10']);
    pass(7 * minuteMs);
    expect(ring()).toEqual(['wait', '3']);
    pass(minuteMs + 12_000);
    expect(ring()).toEqual(['bad', '1:48']);
    pass(2 * minuteMs);
    expect(ring()).toEqual(['bad', undefined]);
  });

  it('has a dotted ring before its window has begun', async () => {
    const { container } = await open([{ ...base, state: 'waiting', waitingFor: 'turn', window: null }]);
    expect(container.querySelector('.job .ring__track')?.getAttribute('stroke-dasharray')).toBe('2 4');
  });

  it('offers the action that fits each state', async () => {
    const { user, inputsOf } = await open([
      { ...base, id: 1 },
      { ...lost, id: 2 },
      { ...done, id: 3, activityToken: '9b41c07e' },
    ]);
    const press = async (state: string, button: string) => {
      const entry = screen.getByRole('listitem', { name: new RegExp(`${state}$`) });
      await user.click(within(entry).getByRole('button', { name: `${button} imaging/a.tif` }));
    };
    await press('Processing', 'Check now');
    await press('Processing', 'Cancel');
    await press('Result lost', 'Start again');
    await press('Done', 'Show in folder');
    await press('Done', 'Copy activity token');
    expect(inputsOf('transfers.cancel')).toEqual([{ which: [1] }]);
    expect(inputsOf('transfers.retry')).toEqual([{ which: [1] }, { which: [2] }]);
    expect(inputsOf('transfers.showInFolder')).toEqual([{ ids: [3] }]);
    expect(inputsOf('transfers.copyActivityToken')).toEqual([{ id: 3 }]);
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'Messages' }).textContent).toBe('Activity token copied'),
    );
  });
});

describe('the list of jobs', () => {
  it('groups jobs with closing windows first, accessibly', async () => {
    const { container } = await open([
      { ...base, id: 4, window: { ...theWindow, endsAtMs: startMs + 108_500 } },
      { ...lost, id: 2 },
      { ...base, id: 1 },
      { ...base, id: 5, state: 'waiting', waitingFor: 'turn', window: null },
      { ...done, id: 3 },
    ]);
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual([
      'Window closing or past',
      'Needs your answer',
      'Running',
      'Waiting',
      'Done',
    ]);
    const [closing] = screen.getAllByRole('listitem');
    expect(closing?.textContent).toContain('1 min 48 s left to fetch it.');
    expect(closing?.textContent).toContain('Closes at 17:43, 12 checks');
    expect(screen.getByRole('tab', { name: 'Jobs' }).getAttribute('aria-describedby')).not.toBeNull();
    expect(screen.getByRole('button', { name: /^1 window closing or past ?, 3 jobs$/ })).toBeTruthy();
    vi.useRealTimers();
    await expectAccessible(container);
  });

  it('shows why an expiring result cannot be saved, and does not offer to restart a secret', async () => {
    await open([
      {
        ...base,
        id: 1,
        state: 'ready',
        window: { ...theWindow, endsAtMs: startMs + 108_500 },
        error: diskFull,
      },
      { ...lost, id: 2, kind: 'secret' },
      { ...lost, ...secretUpload, id: 3, error: { code: 'cancelled' } },
      {
        ...lost,
        ...secretUpload,
        id: 4,
        error: { code: 'serverError', status: 500, retryAfterMs: null },
      },
    ]);
    const [closing] = screen.getAllByRole('listitem');
    expect(closing?.textContent).toContain(errorText(diskFull).title);
    expect(closing?.textContent).not.toContain('It is ready');
    expect(screen.getByText(/its value isn’t kept anywhere\. Store it again/)).toBeTruthy();
    expect(screen.getByText(/To find out whether it was stored, reveal it/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Start again' })).toBeNull();
  });

  it('explains what to do while it is empty', async () => {
    await open([]);
    expect(await screen.findByText('No deferred requests')).toBeTruthy();
    expect(screen.getByText('Choose Deferred when you upload, or Download deferred.')).toBeTruthy();
  });

  it('shows the direction of finished ones', async () => {
    await open([done, { ...done, id: 2, identifier: 'b.tif', direction: 'upload' }]);
    const arrowOf = async (name: RegExp) =>
      (await screen.findByRole('listitem', { name })).querySelector('.icon--12')?.innerHTML;
    const down = await arrowOf(/^imaging\/a\.tif/);
    const up = await arrowOf(/^b\.tif/);
    expect(down).toBeTruthy();
    expect(up).toBeTruthy();
    expect(up).not.toBe(down);
  });

  it('loads only the visible ones of thousands, and finds one by filter', async () => {
    const { user, inputsOf } = await open(
      Array.from({ length: 3000 }, (_, at) => ({ ...base, id: at + 1, identifier: `bulk/${at}.bin` })),
    );
    expect(screen.getAllByRole('listitem').length).toBeLessThan(60);
    expect(inputsOf('transfers.page').length).toBeLessThan(6);
    expect(screen.getByRole('button', { name: 'Cancel all' })).toBeTruthy();
    await user.type(screen.getByRole('searchbox', { name: 'Filter jobs' }), '2999');
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    expect(screen.getByRole('listitem', { name: /^bulk\/2999\.bin/ })).toBeTruthy();
    // It would cancel jobs that are filtered out.
    expect(screen.queryByRole('button', { name: 'Cancel all' })).toBeNull();
    await user.type(screen.getByRole('searchbox', { name: 'Filter jobs' }), 'x');
    await user.click(await screen.findByRole('button', { name: 'Clear filter' }));
    await waitFor(() => expect(screen.getAllByRole('listitem').length).toBeGreaterThan(1));
  });

  it('has its filter below what is paused', async () => {
    const jobs = Array.from({ length: 8 }, (_, at) => ({ ...base, id: at + 1 }));
    await open(jobs, {}, { ...testSummary.paused, all: true });
    const bar = await screen.findByRole('region', { name: 'Everything is paused' });
    const filter = screen.getByRole('searchbox', { name: 'Filter jobs' });
    expect(bar.compareDocumentPosition(filter)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('clears finished jobs, restarts lost ones, and cancels open ones', { tags: 'all' }, async () => {
    const { user, inputsOf } = await open([
      { ...base, id: 1 },
      { ...lost, id: 2 },
      { ...lost, id: 4 },
      { ...done, id: 3 },
    ]);
    for (const name of ['Start all again', 'Clear failed', 'Cancel all', 'Clear done'])
      await user.click(screen.getByRole('button', { name }));
    const tab = 'jobs';
    expect(inputsOf('transfers.retry')).toEqual([{ which: { tab } }]);
    expect(inputsOf('transfers.cancel')).toEqual([{ which: { tab } }]);
    expect(inputsOf('transfers.clear')).toEqual([
      { tab, group: 'needsYou' },
      { tab, group: 'done' },
    ]);
  });
});

describe('announcements of jobs', () => {
  const polite = () => screen.getByRole('status', { name: 'Messages' }).textContent;
  const urgent = () => screen.getByRole('alert', { name: 'Urgent messages' }).textContent;

  it('announce finished jobs politely and lost results assertively, without ticks', async () => {
    const { set } = await open([{ ...base }, { ...base, id: 7, identifier: 'b.tif' }]);
    pass(60_000);
    set([
      { ...base, window: { ...theWindow, checks: 13 } },
      { ...base, id: 7, identifier: 'b.tif' },
    ]);
    pass(20_000);
    expect([polite(), urgent()]).toEqual(['', '']);
    const finishedAtMs = Date.now();
    set([
      { ...done, finishedAtMs },
      { ...lost, id: 7, identifier: 'b.tif', finishedAtMs },
    ]);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(polite()).toBe('imaging/a.tif saved');
    expect(urgent()).toBe('b.tif: result lost');
  });

  it('warn of windows about to close, together', async () => {
    const { main } = await open([base]);
    const warn = (identifier: string, leftMs: number) =>
      main.emit('transfers.closing', { transferId: 1, identifier, leftMs });
    warn('a.tif', 10 * minuteMs);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(urgent()).toBe('10 min left for the result of a.tif');
    warn('a.tif', 2 * minuteMs);
    warn('b.tif', 2 * minuteMs + 5000);
    await act(() => vi.advanceTimersByTimeAsync(1000));
    expect(urgent()).toBe('2 windows are about to close, the first in 2 min: a.tif');
  });
});

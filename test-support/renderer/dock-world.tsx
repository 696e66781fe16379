import { act, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { isJobFinished, type Job, type JobGroup } from '../../src/shared/domain/job.ts';
import {
  groupOf,
  type Cause,
  type Transfer,
  type TransferSummary,
} from '../../src/shared/domain/transfer.ts';
import { QuestionDialog } from '../../src/renderer/features/transfers/QuestionDialog.tsx';
import { StatusLine } from '../../src/renderer/features/transfers/StatusLine.tsx';
import { LiveRegions } from '../../src/renderer/ui/announce.tsx';
import { Dock } from '../../src/renderer/app/Dock.tsx';
import { FailureDialogs } from '../../src/renderer/app/dock-list/FailureDialogs.tsx';
import { useDock } from '../../src/renderer/app/dock.ts';
import { useUnfolded } from '../../src/renderer/app/dock-list/folds.ts';
import { useSelected } from '../../src/renderer/app/dock-list/use-list-selection.ts';
import { questionStore } from '../../src/renderer/app/question-store.ts';
import { renderInApp, testJobSummary, testSummary, testTransfer, type Answers } from './testing.tsx';

export const uploading: Transfer = { ...testTransfer, state: 'uploading', waitingFor: null };
export const deferred: Job = {
  id: 1,
  profileId: 'p1',
  kind: 'data',
  direction: 'upload',
  identifier: 'a.bin',
  objectId: 1,
  state: 'waiting',
  waitingFor: 'turn',
  priority: 'normal',
  createdAtMs: Date.now(),
  windowEndsAtMs: null,
  pastWindow: false,
  nextCheckAtMs: null,
  checks: 0,
  doneBytes: 0,
  totalBytes: 1_000_000,
  error: null,
  activityToken: null,
  outcome: null,
  finishedAtMs: null,
};
export const away: Cause = {
  profileId: 'p1',
  group: 'waiting',
  code: 'unreachable',
  count: 212,
  error: { code: 'unreachable', host: 'objects.example', reason: 'refused' },
  // Asked for when it is used: this module is loaded once for many test files.
  get retryAtMs() {
    return Date.now() + 1_800_000;
  },
};
export const missing: Cause = {
  ...away,
  group: 'needsYou',
  code: 'missing',
  count: 8,
  error: { code: 'missing', status: 404 },
  retryAtMs: null,
};

function jobGroup({ state, waitingFor }: Job): JobGroup {
  if (waitingFor === 'answer' || state === 'failed' || state === 'lost') return 'needsYou';
  if (isJobFinished(state)) return 'done';
  return state === 'waiting' ? 'waiting' : 'running';
}

function tally<G extends string>(none: Record<G, number>, groups: readonly G[]): Record<G, number> {
  const counts = { ...none };
  for (const group of groups) counts[group] += 1;
  return counts;
}

export type World = {
  transfers: readonly Transfer[];
  jobs: readonly Job[];
  /** Answered for a cause that is unfolded. */
  held: readonly Transfer[];
  heldJobs: readonly Job[];
  summary: Partial<TransferSummary>;
};

/** The dock over lists as main keeps them; `set` changes them and tells. */
export async function openDock(tab: 'transfers' | 'jobs', start: Partial<World>, others: Answers = {}) {
  useDock.setState({ tab, isOpen: true });
  const world: World = { transfers: [], jobs: [], held: [], heldJobs: [], summary: {}, ...start };
  let revision = 1;
  const summary = (): TransferSummary => ({
    ...testSummary,
    counts: tally(testSummary.counts, world.transfers.map(groupOf)),
    done: world.transfers.filter(({ state }) => state === 'done').length,
    unanswered: world.jobs.filter(({ waitingFor }) => waitingFor === 'answer').length,
    ...world.summary,
    revision,
  });
  const jobSummary = () => ({
    ...testJobSummary,
    counts: tally(testJobSummary.counts, world.jobs.map(jobGroup)),
    failed: world.jobs.filter(({ state }) => state === 'failed').length,
    lost: world.jobs.filter(({ state }) => state === 'lost').length,
    done: world.jobs.filter(({ state }) => state === 'done').length,
    causes: tab === 'jobs' ? (world.summary.causes ?? []) : [],
    revision,
  });
  const nothing = () => undefined;
  const rendered = renderInApp(
    <>
      <main>
        <StatusLine />
      </main>
      <Dock separator="/" />
      <FailureDialogs />
      <QuestionDialog isHeld={false} />
      <LiveRegions />
    </>,
    {
      'transfers.page': ({ offset, limit, cause }) => {
        const rows = cause === undefined ? world.transfers : world.held;
        const counts = tally(testSummary.counts, rows.map(groupOf));
        const page = rows.slice(offset, offset + limit);
        return { summary: summary(), counts, total: rows.length, offset, rows: page };
      },
      'jobs.page': ({ offset, limit, cause }) => {
        const rows = cause === undefined ? world.jobs : world.heldJobs;
        const counts = tally(testJobSummary.counts, rows.map(jobGroup));
        const page = rows.slice(offset, offset + limit);
        return { summary: jobSummary(), counts, total: rows.length, offset, rows: page };
      },
      'transfers.picked': ({ ids }) => ({
        rows: [...world.transfers, ...world.held].filter(({ id }) => ids.includes(id)),
      }),
      'jobs.picked': ({ ids }) => ({
        rows: [...world.jobs, ...world.heldJobs].filter(({ id }) => ids.includes(id)),
      }),
      'jobs.startAgain': nothing,
      'transfers.pause': nothing,
      'transfers.resume': nothing,
      'transfers.stopNow': nothing,
      'transfers.move': nothing,
      'transfers.setPriority': nothing,
      'transfers.retry': nothing,
      'transfers.cancel': nothing,
      'transfers.answer': nothing,
      'jobs.cancel': nothing,
      'transfers.drop': nothing,
      'transfers.mend': nothing,
      ...others,
    },
  );
  const inputsOf = (wanted: string) =>
    rendered.main.calls.filter(({ name }) => name === wanted).map(({ input }) => input);
  const set = (change: Partial<World>) => {
    Object.assign(world, change);
    revision += 1;
    act(() => {
      rendered.main.emit('transfers.changed', summary());
      rendered.main.emit('jobs.changed', jobSummary());
    });
  };
  await waitFor(() => expect(inputsOf(`${tab}.page`).length).toBeGreaterThan(1));
  return { ...rendered, set, inputsOf };
}

export const entry = (name: RegExp | string) => screen.findByRole('listitem', { name });

/** Nothing of one test is left for the next. */
export function resetDock(): void {
  questionStore.setState(questionStore.getInitialState());
  useDock.setState(useDock.getInitialState());
  useUnfolded.setState(useUnfolded.getInitialState(), true);
  useSelected.setState(useSelected.getInitialState(), true);
}

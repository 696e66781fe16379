import { act, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { isFinished, type Direction, type Tab, type Transfer } from '../../src/shared/domain/transfer.ts';
import type {
  Cause,
  DirectionCounts,
  TabSummary,
  TransferGroup,
  TransferSummary,
} from '../../src/shared/domain/transfer-summary.ts';
import { ConflictPromptDialog } from '../../src/renderer/features/transfers/ConflictPromptDialog.tsx';
import { StatusLine } from '../../src/renderer/features/transfers/StatusLine.tsx';
import { LiveRegions } from '../../src/renderer/ui/announce.tsx';
import { Dock } from '../../src/renderer/shell/Dock.tsx';
import { FailureDialogs } from '../../src/renderer/app/dock-list/FailureDialogs.tsx';
import { useDock } from '../../src/renderer/app/dock.ts';
import { useExpandedGroups } from '../../src/renderer/app/dock-list/list-layout.ts';
import { useSelected } from '../../src/renderer/app/dock-list/use-list-selection.ts';
import { conflictPromptStore } from '../../src/renderer/app/conflict-prompt-store.ts';
import { renderInApp, testSummary, testTransfer, type Answers } from './testing.tsx';

export const uploading: Transfer = { ...testTransfer, state: 'uploading', waitingFor: null };
export const deferred: Transfer = { ...testTransfer, route: 'deferred', createdAtMs: Date.now() };
export const away: Cause = {
  serviceId: 'p1',
  group: 'waiting',
  code: 'unreachable',
  count: 212,
  error: { code: 'unreachable', host: 'objects.example', reason: 'refused' },
  // A getter: this module is loaded once for many test files.
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

/** As main computes it. */
export function groupOf({ state, waitingFor, route }: Transfer): TransferGroup {
  if (waitingFor === 'answer' || state === 'failed' || state === 'lost') return 'needsYou';
  if (isFinished(state)) return 'done';
  const isHeld = route === 'direct' && waitingFor !== null;
  return state === 'waiting' || isHeld ? 'waiting' : 'moving';
}

export function countGroups(groups: readonly TransferGroup[]): TabSummary['counts'] {
  const counts = { ...testSummary.transfers.counts };
  for (const group of groups) counts[group] += 1;
  return counts;
}

/** The summary of a tab's rows, as main computes it. */
export function sumUp(
  rows: readonly Transfer[],
  group: (row: Transfer) => TransferGroup = groupOf,
): TabSummary {
  const count = (matches: (row: Transfer) => boolean) => rows.filter(matches).length;
  const countsOf = (direction: Direction): DirectionCounts => {
    const own = rows.filter((row) => row.direction === direction);
    const ofGroup = (...groups: TransferGroup[]) => own.filter((row) => groups.includes(group(row)));
    const isRechecking = ({ replacing }: Transfer) => (replacing?.againAtMs ?? null) !== null;
    return {
      done: own.filter(({ state }) => state === 'done').length,
      moving: ofGroup('moving', 'closing').filter((row) => !isRechecking(row)).length,
      waiting: ofGroup('waiting').length,
    };
  };
  return {
    counts: countGroups(rows.map(group)),
    active: count(({ state }) => !isFinished(state)),
    failed: count(({ state }) => state === 'failed'),
    lost: count(({ state }) => state === 'lost'),
    done: count(({ state }) => state === 'done'),
    unanswered: count(({ waitingFor }) => waitingFor === 'answer'),
    promptsToOpen: count(({ waitingFor }) => waitingFor === 'answer'),
    byDirection: { upload: countsOf('upload'), download: countsOf('download') },
    causes: [],
  };
}

export type World = {
  transfers: readonly Transfer[];
  jobs: readonly Transfer[];
  /** The transfers of an expanded cause. */
  held: readonly Transfer[];
  heldJobs: readonly Transfer[];
  /** Overrides the summary; fields of a tab's summary apply to the open tab. */
  summary: Partial<TransferSummary & TabSummary>;
};

/** The dock over lists like those in main; `set` changes them and publishes the change. */
export async function openDock(tab: Tab, start: Partial<World>, others: Answers = {}) {
  useDock.setState({ tab, isOpen: true });
  const world: World = { transfers: [], jobs: [], held: [], heldJobs: [], summary: {}, ...start };
  let revision = 1;
  const summary = (): TransferSummary => {
    const all = { ...testSummary, transfers: sumUp(world.transfers), jobs: sumUp(world.jobs) };
    return { ...all, ...world.summary, [tab]: { ...all[tab], ...world.summary }, revision };
  };
  const nothing = () => undefined;
  const rendered = renderInApp(
    <>
      <main>
        <StatusLine />
      </main>
      <Dock separator="/" />
      <FailureDialogs />
      <ConflictPromptDialog />
      <LiveRegions />
    </>,
    {
      'transfers.page': ({ tab: asked, offset, limit, cause }) => {
        const held = asked === 'jobs' ? world.heldJobs : world.held;
        const rows = cause === undefined ? world[asked] : held;
        const counts = countGroups(rows.map(groupOf));
        const page = rows.slice(offset, offset + limit);
        return { summary: summary(), counts, total: rows.length, offset, rows: page };
      },
      'transfers.picked': ({ ids }) => {
        const all = tab === 'jobs' ? [...world.jobs, ...world.heldJobs] : [...world.transfers, ...world.held];
        return { rows: all.filter(({ id }) => ids.includes(id)) };
      },
      'transfers.pause': nothing,
      'transfers.resume': nothing,
      'transfers.stopNow': nothing,
      'transfers.reorder': nothing,
      'transfers.setPriority': nothing,
      'transfers.retry': nothing,
      'transfers.cancel': nothing,
      'transfers.answer': nothing,
      'transfers.drop': nothing,
      'transfers.showInFolder': nothing,
      'transfers.editAndRetry': nothing,
      ...others,
    },
  );
  const inputsOf = (wanted: string) =>
    rendered.main.calls.filter(({ name }) => name === wanted).map(({ input }) => input);
  const set = (change: Partial<World>) => {
    Object.assign(world, change);
    revision += 1;
    act(() => rendered.main.emit('transfers.changed', summary()));
  };
  const asked = tab === 'transfers' ? 'transfers.dock' : 'transfers.page';
  await waitFor(() => expect(rendered.main.answered).toContain(asked));
  return { ...rendered, set, inputsOf };
}

export const entry = (name: RegExp | string) => screen.findByRole('listitem', { name });

/** Resets the stores, so that no state leaks into the next test. */
export function resetDock(): void {
  conflictPromptStore.setState(conflictPromptStore.getInitialState());
  useDock.setState(useDock.getInitialState());
  useExpandedGroups.setState(useExpandedGroups.getInitialState(), true);
  useSelected.setState(useSelected.getInitialState(), true);
}

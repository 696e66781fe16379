import { expect, it } from 'vitest';
import { settingsDefault } from '../shared/domain/settings.ts';
import type { TabSummary, TransferSummary } from '../shared/domain/transfer-summary.ts';
import { idleSummary as idle } from '../../test-support/idle-summary.ts';
import { createBackground } from './background.ts';

const tab = idle.transfers;
const { counts } = tab;
const transfers = (moving: number, waiting = 0, change: Partial<TabSummary> = {}): TransferSummary => ({
  ...idle,
  goingOn: moving + waiting,
  transfers: { ...tab, active: moving + waiting, counts: { ...counts, moving, waiting }, ...change },
});
const paused = { paused: { ...idle.paused, all: true } };

function open() {
  const told: boolean[] = [];
  const background = createBackground(() => told.push(true));
  const lineOf = (summary: TransferSummary) => {
    background.summaryChanged(summary);
    return background.status().line;
  };
  return { background, told, lineOf };
}

it('says in one line what goes on, what needs the person first', () => {
  const { lineOf } = open();
  expect(lineOf(idle)).toBe('No transfers');
  expect(lineOf({ ...idle, jobs: { ...tab, active: 2 } })).toBe('2 deferred requests');
  expect(lineOf(transfers(0, 5))).toBe('5 waiting');
  expect(lineOf({ ...transfers(3, 5), fraction: 0.424, bytesPerSecond: 3_200_000 })).toBe(
    '3 moving, 42%, 3.2 MB/s',
  );
  expect(
    lineOf({
      ...transfers(1, 0, { unanswered: 1, failed: 2 }),
      tokenRefused: ['a'],
      jobs: { ...tab, lost: 1 },
    }),
  ).toBe('1 service needs a new token, 1 needs an answer, 3 failed, 1 moving');
  expect(lineOf({ ...transfers(0, 5), ...paused })).toBe('Everything is paused, 5 waiting');
  expect(lineOf(idle)).toBe('All transfers are done');
});

it('follows the bytes between two changes of the list', () => {
  const { background, lineOf } = open();
  let changes = 0;
  background.onChanged(() => (changes += 1));
  lineOf(transfers(1));
  background.progressed({ entries: [], fraction: 0.5, bytesPerSecond: 2_000_000, leftMs: null });
  expect([background.status().line, changes]).toEqual(['1 moving, 50%, 2.0 MB/s', 2]);
});

it('says busy while transfers go on without the person', () => {
  const { background } = open();
  const isBusy = (summary: TransferSummary) => {
    background.summaryChanged(summary);
    return background.isBusy();
  };
  expect(background.isBusy()).toBe(false);
  expect(isBusy(transfers(1))).toBe(true);
  expect(isBusy({ ...transfers(0, 5), goingOn: 0 })).toBe(false);
  expect(isBusy(idle)).toBe(false);
});

it('keeps the computer awake for work that is not paused, if the setting says so', () => {
  const { background } = open();
  const keepsAwake = (summary: TransferSummary) => {
    background.summaryChanged(summary);
    return background.keepsAwake();
  };
  expect(background.keepsAwake()).toBe(false);
  expect(keepsAwake({ ...idle, goingOn: 2, unpaused: 1 })).toBe(true);
  background.settingsChanged({ ...settingsDefault, keepAwake: false });
  expect(background.keepsAwake()).toBe(false);
  background.settingsChanged(settingsDefault);
  expect(background.keepsAwake()).toBe(true);
  expect(keepsAwake({ ...idle, goingOn: 1 })).toBe(false);
  background.workChanged(['delete']);
  expect(background.keepsAwake()).toBe(true);
});

it('says what goes on besides transfers, and is busy with it', () => {
  const { background, lineOf } = open();
  lineOf(transfers(1));
  background.workChanged(['delete', 'check', 'delete']);
  expect(background.status().line).toBe('1 moving, Deleting objects, Checking objects');
  lineOf(idle);
  expect([background.status().line, background.isBusy()]).toEqual([
    'Deleting objects, Checking objects',
    true,
  ]);
  background.workChanged(['import']);
  expect(background.status().line).toBe('Importing a list');
  background.workChanged(['prepare', 'export']);
  expect([background.status().line, background.isBusy()]).toEqual([
    'Preparing an upload, Exporting the list',
    true,
  ]);
  background.workChanged([]);
  expect([background.status().line, background.isBusy()]).toEqual(['All transfers are done', false]);
});

it('has to tell once that Coffer continues', () => {
  const { background, told } = open();
  expect([background.isFirstTime(), told.length]).toEqual([true, 1]);
  background.settingsChanged({ ...settingsDefault, backgroundTold: true });
  expect([background.isFirstTime(), told.length]).toEqual([false, 1]);
});

import type { TabSummary, TransferSummary } from '../src/shared/domain/transfer-summary.ts';

const noneOf: TabSummary = {
  counts: { closing: 0, needsYou: 0, moving: 0, waiting: 0, done: 0 },
  active: 0,
  failed: 0,
  lost: 0,
  done: 0,
  unanswered: 0,
  promptsToOpen: 0,
  byDirection: {
    upload: { done: 0, moving: 0, waiting: 0 },
    download: { done: 0, moving: 0, waiting: 0 },
  },
  causes: [],
};

/** There are no transfers. */
export const idleSummary: TransferSummary = {
  revision: 1,
  transfers: noneOf,
  jobs: noneOf,
  bytesPerSecond: null,
  leftMs: null,
  fraction: null,
  paused: { all: false, byHour: false, serviceIds: [] },
  verifying: 0,
  movingJobs: 0,
  finishing: 0,
  limit: null,
  goingOn: 0,
  unpaused: 0,
  tokenRefused: [],
};

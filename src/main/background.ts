import { formatList, formatPercent, formatSpeed, formatUntil } from '../shared/i18n/format.ts';
import { settingsDefault, type Settings } from '../shared/domain/settings.ts';
import type { Task } from '../shared/domain/task.ts';
import type { TransferProgress, TransferSummary } from '../shared/domain/transfer-summary.ts';
import { Emitter } from './lib/emitter.ts';
import { mainTexts } from './texts.ts';

const texts = mainTexts.tray;

/** Work besides transfers. `prepare`: a sheet reads and names its files, which are then enqueued as transfers. */
type Work = Task['kind'] | 'prepare' | 'import' | 'export';

/** What the icon in the notification area shows. */
export interface BackgroundStatus {
  /** One line, with the text of the window's bottom line. */
  readonly line: string;
  /** The person has paused everything. */
  readonly isPaused: boolean;
}

/** Coffer's state and settings for running without its window. */
export interface Background {
  /** The setting: closing the window does not quit while work is under way. */
  keepsRunning(): boolean;
  /** The setting: the icon is shown also while the window is. */
  showsIcon(): boolean;
  /** Whether work continues without the person: `goingOn` of the summary, or other work. */
  isBusy(): boolean;
  /**
   * The computer should not go to sleep by itself: the setting says so, and work goes on that is not paused. A deferred
   * request counts also while everything is paused, because its answer expires after 30 minutes.
   */
  keepsAwake(): boolean;
  status(): BackgroundStatus;
  /** true once, and again after the person has changed `keepRunning`. */
  isFirstTime(): boolean;
  /** The status or a setting may have changed; several times a second while bytes move. */
  readonly onChanged: (listener: () => void) => () => void;
  summaryChanged(summary: TransferSummary): void;
  progressed(progress: TransferProgress): void;
  /** @param latest all other work that continues without the person */
  workChanged(latest: readonly Work[]): void;
  settingsChanged(settings: Settings): void;
}

/** Collects the work besides transfers from its sources. */
export function createWorkTally(background: Background) {
  const sources: (() => readonly Work[])[] = [];
  return {
    add(goingOn: () => readonly Work[]): void {
      sources.push(goingOn);
    },
    /** Call when something has begun or ended. */
    changed: () => background.workChanged(sources.flatMap((goingOn) => goingOn())),
  };
}

/** Usable before the first summary: until then nothing is under way. @param rememberTold sets `backgroundTold` */
export function createBackground(rememberTold: () => void): Background {
  let settings = settingsDefault;
  const changed = new Emitter<[]>();
  let summary: TransferSummary | null = null;
  let work: readonly Work[] = [];
  /** Transfers were active since the start, so that their end can be reported. */
  let wasBusy = false;

  function take(latest: TransferSummary): void {
    summary = latest;
    wasBusy ||= latest.goingOn > 0 && latest.transfers.active + latest.jobs.active > 0;
    changed.fire();
  }

  return {
    keepsRunning: () => settings.keepRunning,
    showsIcon: () => settings.trayIcon,
    isBusy: () => work.length > 0 || (summary !== null && summary.goingOn > 0),
    keepsAwake: () => settings.keepAwake && (work.length > 0 || (summary !== null && summary.unpaused > 0)),
    status: () => ({ line: lineOf(summary, work, wasBusy), isPaused: summary?.paused.all ?? false }),
    isFirstTime() {
      if (settings.backgroundTold) return false;
      rememberTold();
      return true;
    },
    onChanged: changed.event,
    summaryChanged: take,
    progressed({ bytesPerSecond, leftMs, fraction }) {
      if (summary) take({ ...summary, bytesPerSecond, leftMs, fraction });
    },
    workChanged(latest) {
      if (latest.join() === work.join()) return;
      work = latest;
      changed.fire();
    },
    settingsChanged(latest) {
      settings = latest;
      changed.fire();
    },
  };
}

function lineOf(summary: TransferSummary | null, work: readonly Work[], wasBusy: boolean): string {
  if (summary === null) return texts.nothing;
  const { transfers, jobs, tokenRefused } = summary;
  const failed = transfers.failed + jobs.failed + jobs.lost;
  const unanswered = transfers.unanswered + jobs.unanswered;
  const doing = [...doingOf(summary), ...new Set(work.map((kind) => texts[kind]))];
  const isIdle = doing.length === 0;
  return formatList([
    tokenRefused.length > 0 && texts.tokens({ count: tokenRefused.length }),
    unanswered > 0 && texts.unanswered({ count: unanswered }),
    failed > 0 && texts.failed({ count: failed }),
    ...doing,
    isIdle && (wasBusy ? texts.done : texts.nothing),
  ]);
}

function doingOf(summary: TransferSummary): string[] {
  const { transfers, jobs, paused, limit, movingJobs, fraction, bytesPerSecond } = summary;
  const moving = transfers.counts.moving + movingJobs;
  const { waiting } = transfers.counts;
  return [
    ...(paused.all ? [texts.paused] : []),
    ...(paused.byHour && !paused.all
      ? [limit?.untilMs == null ? texts.paused : texts.pausedUntil({ time: formatUntil(limit.untilMs) })]
      : []),
    ...(moving > 0 ? [texts.moving({ count: moving })] : []),
    ...(moving > 0 && fraction !== null ? [formatPercent(fraction)] : []),
    ...(moving > 0 && bytesPerSecond !== null ? [formatSpeed(bytesPerSecond)] : []),
    ...(moving === 0 && waiting > 0 ? [texts.waiting({ count: waiting })] : []),
    ...(jobs.active > movingJobs ? [texts.requests({ count: jobs.active - movingJobs })] : []),
  ];
}

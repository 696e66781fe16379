import type { Settings } from '../shared/domain/settings.ts';
import type { TransferSummary } from '../shared/domain/transfer.ts';
import type { Desktop } from './ports.ts';

/** What was under way at the last look, so that its end can be told. */
export function createNotices(
  desktop: Pick<Desktop, 'setProgress' | 'setBadge' | 'notify'>,
): (summary: TransferSummary, settings: Settings) => void {
  // What was skipped or cancelled ends too: a notification claims no more than that nothing is left to do.
  let wasBusy = false;

  return (summary, { notifyWhenDone }) => {
    const isBusy = summary.counts.moving + summary.counts.waiting > 0;
    desktop.setProgress(isBusy ? (summary.fraction ?? 0) : null);
    desktop.setBadge(summary.failed + summary.unanswered);
    if (wasBusy && !isBusy && notifyWhenDone) {
      const needs = summary.failed + summary.unanswered;
      desktop.notify({
        title: needs === 0 ? 'Transfers are over' : 'Transfers need you',
        body:
          needs === 0
            ? 'Nothing failed, and nothing waits for you.'
            : `${summary.failed} failed, ${summary.unanswered} wait for an answer.`,
      });
    }
    wasBusy = isBusy;
  };
}

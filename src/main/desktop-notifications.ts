import { basename } from 'node:path';
import { mainTexts } from './texts.ts';
import type { Ask } from '../shared/domain/approval.ts';
import type { Settings } from '../shared/domain/settings.ts';
import type { TransferSummary } from '../shared/domain/transfer-summary.ts';
import { throttle } from './lib/timers.ts';
import type { Desktop } from './ports.ts';

const texts = mainTexts.notification;

/** Shows progress, a badge for transfers that need the user, and notifications. */
export interface DesktopNotifications {
  transfersChanged(summary: TransferSummary, settings: Settings): void;
  /** The window of a deferred request ends soon and its result is not fetched. Many at once share one notification. */
  windowCloses(warning: Closing): void;
  programAsks(ask: Ask): void;
  /** Secrets are due for renewal, or overdue. */
  secretsDue(identifiers: readonly string[]): void;
  /** The built-in service started empty; its old data is in this folder. */
  localServiceSetAside(folder: string): void;
  /** Private copies with unsaved content that the window does not show. */
  filesLeft(folder: string): void;
  close(): void;
}

type Closing = { identifier: string; leftMs: number };

export function createDesktopNotifications(
  desktop: Pick<Desktop, 'notify' | 'setBadge' | 'setProgress'>,
): DesktopNotifications {
  /**
   * Whether transfers were under way in the last summary, so that their end can be reported. Skipped and cancelled ones
   * end too: the notification only claims that nothing is left to do.
   */
  let wasBusy = false;

  let closing: Closing[] = [];
  const tellClosing = throttle(() => {
    const [first] = closing.toSorted((a, b) => a.leftMs - b.leftMs);
    if (!first) return;
    const { identifier } = first;
    const others = closing.length - 1;
    desktop.notify({
      title: texts.resultLeft({ count: Math.max(1, Math.round(first.leftMs / 60_000)) }),
      body:
        others === 0
          ? texts.resultLeftText({ identifier })
          : texts.resultLeftMany({ identifier, count: others }),
    });
    closing = [];
  }, 1_000);

  return {
    transfersChanged({ transfers, jobs, fraction }, { notifyWhenDone }) {
      const { counts, failed, unanswered } = transfers;
      const isBusy = counts.moving + counts.waiting > 0;
      const needs = failed + unanswered;
      desktop.setProgress(isBusy ? (fraction ?? 0) : null);
      desktop.setBadge(needs + jobs.counts.closing + jobs.counts.needsYou);
      if (wasBusy && !isBusy && notifyWhenDone) {
        desktop.notify({
          title: needs === 0 ? texts.finished : texts.needYou,
          body: needs === 0 ? texts.finishedText : texts.needYouText({ failed, unanswered }),
        });
      }
      wasBusy = isBusy;
    },
    windowCloses(warning) {
      closing.push(warning);
      tellClosing();
    },
    programAsks({ program: [name = ''], secrets }) {
      desktop.notify({
        title: texts.programAsks({ program: basename(name), count: secrets.length }),
        body: texts.programAsksText,
      });
    },
    secretsDue(identifiers) {
      const [identifier = ''] = identifiers;
      desktop.notify({
        title: texts.renew({ count: identifiers.length }),
        body: texts.renewText({ identifier, count: identifiers.length - 1 }),
      });
    },
    localServiceSetAside(folder) {
      desktop.notify({
        title: texts.setAside,
        body: texts.setAsideText({ folder }),
      });
    },
    filesLeft(folder) {
      desktop.notify({ title: texts.filesLeft, body: texts.filesLeftText({ folder }) });
    },
    close: () => tellClosing.cancel(),
  };
}

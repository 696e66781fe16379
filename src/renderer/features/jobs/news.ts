import { jobTexts } from '../../i18n/job-texts.ts';
import type { EventPayload } from '../../../shared/contract.ts';
import type { Job, JobSummary } from '../../../shared/domain/job.ts';
import type { Client } from '../../app/client.ts';
import { showDock, useDock } from '../../app/dock.ts';
import { createTeller } from '../../app/dock-list/tell-together.ts';
import { followMirror, type Mirror } from '../../app/mirror.ts';
import { dockTexts } from '../../i18n/dock-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatDuration, formatList } from '../../../shared/i18n/format.ts';
import { announce } from '../../ui/announce.tsx';

type Closing = EventPayload<'jobs.closing'>;

const texts = jobTexts.news;

/** Windows that close together are told together. */
const togetherMs = 500;

/** Says what finishes from now on, and every window about to close: not each tick. Answers a function that stops. */
export function tellJobNews(client: Client, summaries: Mirror<JobSummary>): () => void {
  const teller = createTeller<Job>({
    tab: 'jobs',
    askPage: async (asked) => {
      const { summary, counts, total, rows } = await client.call('jobs.page', { ...asked, filter: '' });
      return { counts, total, causes: summary.causes, rows };
    },
    doneText: doneNews,
    badText: badNews,
  });

  let closing: Closing[] = [];
  let closingCount = 0;
  let takeBack = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tellClosing = () => {
    takeBack();
    const dock = useDock.getState();
    takeBack = announce(closingNews(closing), 'assertive', {
      isOnScreen: dock.isOpen && dock.tab === 'jobs',
      act: { label: dockTexts.show.jobs, run: () => showDock('jobs') },
    });
    closing = [];
    timer = undefined;
  };
  const stops = [
    followMirror(summaries, ({ done, failed, lost, counts }) => {
      teller.hear({ done, failed, lost, moving: counts.running + counts.closing, waiting: counts.waiting });
      // One of them has its result, or its window is past.
      if (counts.closing < closingCount) takeBack();
      closingCount = counts.closing;
    }),
    client.on('jobs.closing', (warning) => {
      closing.push(warning);
      timer ??= setTimeout(tellClosing, togetherMs);
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    teller.stop();
    clearTimeout(timer);
  };
}

function doneNews(count: number, done: readonly Job[]): string {
  const [first] = done;
  if (first === undefined || count > 1) return texts.done({ count });
  return texts[first.outcome?.kind ?? 'doneOne']({ identifier: first.identifier });
}

function badNews({ failed, lost }: { failed: number; lost: number }, one: Job | null): string {
  if (one === null)
    return formatList([
      lost > 0 && jobTexts.trouble.lost({ count: lost }),
      failed > 0 && jobTexts.trouble.failed({ count: failed }),
    ]);
  const { identifier, error } = one;
  if (lost > 0) return texts.lostOne({ identifier });
  return error === null
    ? texts.failedOne({ identifier })
    : texts.failedOneFor({ identifier, title: errorText(error).title });
}

function closingNews(closing: readonly Closing[]): string {
  const first = closing.reduce((a, b) => (b.leftMs < a.leftMs ? b : a));
  const { identifier } = first;
  const duration = formatDuration(first.leftMs);
  return closing.length === 1
    ? texts.closing({ duration, identifier })
    : texts.closingMany({ count: closing.length, duration, identifier });
}

import { jobTexts } from '../../i18n/job-texts.ts';
import type { EventPayload } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { pageLimitMax } from '../../../shared/domain/object.ts';
import type { Client } from '../../app/client.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatDuration, formatList } from '../../../shared/i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { createTeller, finishedSince } from '../../app/dock-list/tell-together.ts';

type Closing = EventPayload<'jobs.closing'>;

const texts = jobTexts.news;

/** Windows that close together are told together. */
const togetherMs = 500;

/** Says what finishes from now on, and every window about to close: not each tick. Answers a function that stops. */
export function tellJobNews(client: Client): () => void {
  let sinceMs = Date.now();
  const teller = createTeller(async () => {
    const finished = await finishedSince(sinceMs, async (offset, cause) => {
      const asked = { offset, limit: pageLimitMax, filter: '', ...(cause !== undefined && { cause }) };
      const { summary, counts, rows } = await client.call('jobs.page', asked);
      return { counts, causes: summary.causes, rows };
    });
    sinceMs = Math.max(sinceMs, ...finished.map(({ finishedAtMs }) => finishedAtMs ?? 0));
    const done = doneNews(finished.filter(({ state }) => state === 'done'));
    const bad = badNews(finished.filter(({ state }) => state === 'lost' || state === 'failed'));
    if (done !== null) announce(done);
    if (bad !== null) announce(bad, 'assertive');
  });

  let closing: Closing[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stops = [
    client.on('jobs.changed', ({ counts, lost, failed }) =>
      teller.hear({ done: counts.done, bad: lost + failed, isBusy: counts.running + counts.closing > 0 }),
    ),
    client.on('jobs.closing', (warning) => {
      closing.push(warning);
      timer ??= setTimeout(() => {
        announce(closingNews(closing), 'assertive');
        closing = [];
        timer = undefined;
      }, togetherMs);
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    teller.stop();
    clearTimeout(timer);
  };
}

function doneNews(done: readonly Job[]): string | null {
  const [first] = done;
  if (first === undefined) return null;
  if (done.length > 1) return texts.done({ count: done.length });
  return texts[first.outcome?.kind ?? 'doneOne']({ identifier: first.identifier });
}

function badNews(bad: readonly Job[]): string | null {
  const [first] = bad;
  if (first === undefined) return null;
  const lost = bad.filter(({ state }) => state === 'lost').length;
  if (bad.length > 1)
    return formatList([
      lost > 0 && jobTexts.trouble.lost({ count: lost }),
      lost < bad.length && jobTexts.trouble.failed({ count: bad.length - lost }),
    ]);
  const { identifier, error } = first;
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

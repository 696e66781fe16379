import { pageLimitMax } from '../../../shared/domain/object.ts';
import type { Transfer, TransferSummary } from '../../../shared/domain/transfer.ts';
import type { Client } from '../../app/client.ts';
import { sayFailure } from '../../app/say-failure.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatCounted } from '../../i18n/format.ts';
import { announce } from '../../ui/announce.tsx';

/** What ends together is told together; while things go on, what is done is told no more often than this. */
const togetherMs = 500;
const meanwhileMs = 10_000;

/** Says what finishes from now on: done politely, failed with urgency. Answers a function that stops. */
export function tellNews(client: Client): () => void {
  let known: Pick<TransferSummary, 'counts' | 'failed'> | null = null;
  let sinceMs = Date.now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isSoon = false;

  function hear(summary: TransferSummary) {
    const hasFailed = summary.failed > (known?.failed ?? 0);
    const hasNews = hasFailed || summary.counts.done > (known?.counts.done ?? 0);
    known = summary;
    const isDue = hasFailed || summary.counts.moving === 0;
    if (timer === undefined ? !hasNews : isSoon || !isDue) return;
    clearTimeout(timer);
    isSoon = isDue;
    timer = setTimeout(() => sayFailure(tell()), isDue ? togetherMs : meanwhileMs);
  }

  async function tell(): Promise<void> {
    timer = undefined;
    const finished = await finishedSince(client, sinceMs);
    sinceMs = Math.max(sinceMs, ...finished.map(({ finishedAtMs }) => finishedAtMs ?? 0));
    const failed = failedNews(finished.filter(({ state }) => state === 'failed'));
    const done = doneNews(finished.filter(({ state }) => state === 'done'));
    if (done !== null) announce(done);
    if (failed !== null) announce(failed, 'assertive');
  }

  const stop = client.on('transfers.changed', hear);
  return () => {
    stop();
    clearTimeout(timer);
  };
}

/** The failed ones stand first, the done ones last and the newest of them first. */
async function finishedSince(client: Client, sinceMs: number): Promise<Transfer[]> {
  const isNew = ({ finishedAtMs }: Transfer) => finishedAtMs !== null && finishedAtMs > sinceMs;
  const first = await client.call('transfers.page', { offset: 0, limit: pageLimitMax });
  const { needsYou, moving, waiting, done } = first.summary.counts;
  const found = first.rows.filter((row) => row.state === 'failed' && isNew(row));
  const start = needsYou + moving + waiting;
  for (let offset = start; offset < start + done; offset += pageLimitMax) {
    const { rows } = await client.call('transfers.page', { offset, limit: pageLimitMax });
    const fresh = rows.filter(isNew);
    found.push(...fresh.filter(({ state }) => state !== 'failed'));
    if (fresh.length < rows.length) break;
  }
  return found;
}

/** `12 uploads done, 1 skipped`; one alone is named. null: nothing to tell. */
export function doneNews(done: readonly Transfer[]): string | null {
  const [first] = done;
  if (first === undefined) return null;
  if (done.length === 1) return `${first.identifier} ${first.outcome?.kind ?? 'done'}`;
  const skipped = done.filter(({ outcome }) => outcome?.kind === 'skipped').length;
  const downloads = done.filter(({ direction }) => direction === 'download').length;
  const uploads = done.length - skipped - downloads;
  return [
    uploads > 0 && `${formatCounted(uploads, 'upload', 'uploads')} done`,
    downloads > 0 && `${formatCounted(downloads, 'download', 'downloads')} done`,
    skipped > 0 && `${formatCounted(skipped, 'upload', 'uploads')} skipped`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

export function failedNews(failed: readonly Transfer[]): string | null {
  const [first] = failed;
  if (first === undefined) return null;
  if (failed.length > 1) return `${formatCounted(failed.length, 'transfer', 'transfers')} failed`;
  return `${first.identifier} failed${first.error === null ? '' : `. ${errorText(first.error).title}`}`;
}

import { transferTexts } from '../../i18n/transfer-texts.ts';
import { pageLimitMax } from '../../../shared/domain/object.ts';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import type { Client } from '../../app/client.ts';
import { errorText } from '../../i18n/error-text.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { announce } from '../../ui/announce.tsx';
import { createTeller, finishedSince } from '../../app/dock-list/tell-together.ts';

const texts = transferTexts.news;

/** Says what finishes from now on: done politely, failed with urgency. Answers a function that stops. */
export function tellNews(client: Client): () => void {
  let sinceMs = Date.now();
  const teller = createTeller(async () => {
    const finished = await finishedSince(sinceMs, async (offset, cause) => {
      const asked = { offset, limit: pageLimitMax, ...(cause !== undefined && { cause }) };
      const { summary, counts, rows } = await client.call('transfers.page', asked);
      return { counts, causes: summary.causes, rows };
    });
    sinceMs = Math.max(sinceMs, ...finished.map(({ finishedAtMs }) => finishedAtMs ?? 0));
    const failed = failedNews(finished.filter(({ state }) => state === 'failed'));
    const done = doneNews(finished.filter(({ state }) => state === 'done'));
    if (done !== null) announce(done);
    if (failed !== null) announce(failed, 'assertive');
  });
  const stop = client.on('transfers.changed', ({ counts, failed }) =>
    teller.hear({ done: counts.done, bad: failed, isBusy: counts.moving > 0 }),
  );
  return () => {
    stop();
    teller.stop();
  };
}

/** `12 uploads done, 1 skipped`; one alone is named. null: nothing to tell. */
export function doneNews(done: readonly Transfer[]): string | null {
  const [first] = done;
  if (first === undefined) return null;
  if (done.length === 1) return texts[first.outcome?.kind ?? 'doneOne']({ identifier: first.identifier });
  const skipped = done.filter(({ outcome }) => outcome?.kind === 'skipped').length;
  const downloads = done.filter(({ direction }) => direction === 'download').length;
  const uploads = done.length - skipped - downloads;
  return formatList([
    uploads > 0 && texts.uploads({ count: uploads }),
    downloads > 0 && texts.downloads({ count: downloads }),
    skipped > 0 && texts.skippedUploads({ count: skipped }),
  ]);
}

export function failedNews(failed: readonly Transfer[]): string | null {
  const [first] = failed;
  if (first === undefined) return null;
  if (failed.length > 1) return texts.failed({ count: failed.length });
  const { identifier, error } = first;
  return error === null
    ? texts.failedOne({ identifier })
    : texts.failedOneFor({ identifier, title: errorText(error).title });
}

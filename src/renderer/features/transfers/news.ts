import type { Transfer, TransferSummary } from '../../../shared/domain/transfer.ts';
import type { Client } from '../../app/client.ts';
import { followMirror, type Mirror } from '../../app/mirror.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { createTeller } from '../../app/dock-list/tell-together.ts';

const texts = transferTexts.news;

/** Says what finishes from now on: done politely, failed with urgency. Answers a function that stops. */
export function tellNews(client: Client, summaries: Mirror<TransferSummary>): () => void {
  const teller = createTeller<Transfer>({
    tab: 'transfers',
    askPage: async (asked) => {
      const { summary, counts, total, rows } = await client.call('transfers.page', asked);
      return { counts, total, causes: summary.causes, rows };
    },
    doneText: doneNews,
    badText: ({ failed }, one) => failedNews(failed, one),
  });
  const stop = followMirror(summaries, ({ done, failed, counts: { moving, waiting } }) =>
    teller.hear({ done, failed, lost: 0, moving, waiting }),
  );
  return () => {
    stop();
    teller.stop();
  };
}

/** `12 uploads done, 1 upload skipped`; one alone is named. */
function doneNews(count: number, done: readonly Transfer[]): string {
  const [first] = done;
  if (first === undefined) return texts.transfers({ count });
  const isCopy = first.outcome?.kind === 'saved' && first.outcome.copyFor !== undefined;
  const kind = isCopy ? 'opened' : (first.outcome?.kind ?? 'doneOne');
  if (done.length === 1) return texts[kind]({ identifier: first.identifier });
  const skipped = done.filter(({ outcome }) => outcome?.kind === 'skipped').length;
  const downloads = done.filter(({ direction }) => direction === 'download').length;
  const uploads = done.length - skipped - downloads;
  return formatList([
    uploads > 0 && texts.uploads({ count: uploads }),
    downloads > 0 && texts.downloads({ count: downloads }),
    skipped > 0 && texts.skippedUploads({ count: skipped }),
  ]);
}

function failedNews(count: number, one: Transfer | null): string {
  if (one === null) return texts.failed({ count });
  const { identifier, error } = one;
  return error === null
    ? texts.failedOne({ identifier })
    : texts.failedOneFor({ identifier, title: errorText(error).title });
}

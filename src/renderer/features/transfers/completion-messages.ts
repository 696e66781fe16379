import type { EventPayload } from '../../../shared/contract.ts';
import { isOpenable } from '../../../shared/domain/openable.ts';
import type { Direction, Tab, Transfer } from '../../../shared/domain/transfer.ts';
import type { TabSummary, TransferSummary } from '../../../shared/domain/transfer-summary.ts';
import { errorText } from '../../../shared/i18n/error-text.ts';
import { formatDuration, formatList } from '../../../shared/i18n/format.ts';
import type { Client } from '../../app/client.ts';
import { createDoneTeller, createFailureTeller } from '../../app/dock-list/completion-announcer.ts';
import { showDock, useDock } from '../../app/dock.ts';
import { followRemote, type RemoteStore } from '../../app/remote-store.ts';
import { showInFolder } from '../../app/open-file.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { dockTexts, batchTexts } from '../../i18n/dock-texts.ts';
import { transferTexts } from '../../i18n/transfer-texts.ts';
import { announce } from '../../ui/announce.tsx';
import { undoOf } from './undo-changes.ts';

type Closing = EventPayload<'transfers.closing'>;

const texts = transferTexts.news;

/** Warnings that arrive within this time, in ms, share an announcement. */
const gatherMs = 500;

/**
 * Announces what finishes in a tab from now on: done politely, uploads and downloads separately; failed assertively.
 * @returns stops
 */
export function tellFinished(client: Client, summaries: RemoteStore<TransferSummary>, tab: Tab): () => void {
  const tellerOf = (direction: Direction) =>
    createDoneTeller({
      client,
      tab,
      direction,
      describe: (count, rows) => describeDone(client, tab, direction, count, rows),
    });
  const uploads = tellerOf('upload');
  const downloads = tellerOf('download');
  const failures = createFailureTeller({ client, tab, textOf: (bad, one) => badText(tab, bad, one) });
  const stops = [
    followRemote(summaries, ({ [tab]: { failed, lost, counts, byDirection } }) => {
      const { upload, download } = byDirection;
      // Uploads first: when both end together, the message with the button comes last, and stays.
      uploads.hear(upload);
      downloads.hear(download);
      const moving = upload.moving + download.moving;
      failures.hear({ failed, lost, moving, waiting: counts.waiting });
    }),
    ...[uploads, downloads, failures].map(({ stop }) => stop),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Announces windows that are about to close, once each. @returns stops */
export function tellClosing(client: Client, summaries: RemoteStore<TransferSummary>): () => void {
  let closing: Closing[] = [];
  let closingCount = 0;
  let takeBack = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    takeBack();
    const dock = useDock.getState();
    takeBack = announce(closingText(closing), 'assertive', {
      isOnScreen: dock.isOpen && dock.tab === 'jobs',
      act: { label: dockTexts.show.jobs, run: () => showDock('jobs') },
    });
    closing = [];
    timer = undefined;
  };
  const stops = [
    followRemote(summaries, ({ jobs: { counts } }) => {
      // A warning is out of date: the result has arrived, or the window has closed.
      if (counts.closing < closingCount) takeBack();
      closingCount = counts.closing;
    }),
    client.on('transfers.closing', (warning) => {
      closing.push(warning);
      timer ??= setTimeout(tell, gatherMs);
    }),
  ];
  return () => {
    stops.forEach((stop) => stop());
    clearTimeout(timer);
  };
}

/** Says where downloads were saved, with a button to show them. null: nothing to announce. */
async function describeDone(
  client: Client,
  tab: Tab,
  direction: Direction,
  count: number,
  newest: readonly Transfer[],
): ReturnType<Parameters<typeof createDoneTeller>[0]['describe']> {
  const areAll = newest.length >= count;
  // Files that were dragged or copied are announced elsewhere.
  const rows = newest.filter((row) => !isTakenOut(row));
  if (areAll && rows.length === 0) return null;
  const textOf = (some: readonly Transfer[]) => (tab === 'jobs' ? jobsDoneText : transfersDoneText)(some);
  const doneText = areAll ? textOf(rows) : countText(tab, direction, count);
  const saved = rows.filter(isSaved);
  const [first] = saved;
  if (first === undefined) return { text: doneText, act: areAll ? undoOf(client, rows) : null };
  const ids = saved.map(({ id }) => id);
  const act = { label: commonTexts.showInFolder, run: () => showInFolder(client, ids) };
  // Without the folder, still announce that they are done.
  const { folder } = await client.call('transfers.savedIn', { ids }).catch(() => ({ folder: null }));
  if (folder === null) return { text: doneText, act };
  if (!areAll) return { text: texts.latestIn({ done: doneText, folder }), act };
  const { fileName } = first.outcome;
  const savedText =
    saved.length === 1
      ? texts.savedIn({ fileName, folder })
      : texts.downloadsIn({ count: saved.length, folder });
  const others = rows.filter((row) => !isSaved(row));
  return { text: formatList([others.length > 0 && textOf(others), savedText]), act };
}

function countText(tab: Tab, direction: Direction, count: number): string {
  if (tab === 'jobs') return texts.jobs({ count });
  return direction === 'upload' ? texts.uploads({ count }) : texts.downloads({ count });
}

type Saved = Transfer & { outcome: { kind: 'saved'; fileName: string } };
function isSaved(transfer: Transfer): transfer is Saved {
  return transfer.outcome?.kind === 'saved' && transfer.outcome.copyFor === undefined;
}

function isTakenOut({ outcome }: Transfer): boolean {
  return outcome?.kind === 'saved' && outcome.copyFor === 'takeOut';
}

function isReclassified({ outcome }: Transfer): boolean {
  return outcome?.kind === 'stored' && outcome.classification !== undefined;
}

function isMoved({ outcome }: Transfer): boolean {
  return outcome?.kind === 'stored' && outcome.movedFrom !== undefined;
}

/** Names the object of a single transfer. */
function doneOneText(transfer: Transfer): string {
  const { outcome, identifier, kind } = transfer;
  if (isReclassified(transfer)) return texts.reclassified({ identifier });
  if (isMoved(transfer)) return texts.moved({ identifier });
  if (outcome?.kind === 'saved' && outcome.copyFor !== undefined) {
    const { copyFor, fileName } = outcome;
    if (copyFor === 'look') return texts.looked({ identifier });
    return texts[copyFor === 'open' && !isOpenable(fileName) ? 'shown' : 'opened']({ identifier });
  }
  // Of a secret it is only known that the service accepted it.
  return texts[outcome?.kind ?? (kind === 'secret' ? 'stored' : 'doneOne')]({ identifier });
}

function jobsDoneText(done: readonly Transfer[]): string {
  const [first] = done;
  return first !== undefined && done.length === 1 ? doneOneText(first) : texts.jobs({ count: done.length });
}

/** `12 uploads done, 1 upload skipped` */
function transfersDoneText(done: readonly Transfer[]): string {
  const [first] = done;
  if (first !== undefined && done.length === 1) return doneOneText(first);
  const skipped = done.filter(({ outcome }) => outcome?.kind === 'skipped').length;
  const downloads = done.filter(({ direction }) => direction === 'download').length;
  const reclassified = done.filter(isReclassified).length;
  const moved = done.filter(isMoved).length;
  const uploads = done.length - skipped - downloads - reclassified - moved;
  return formatList([
    uploads > 0 && texts.uploads({ count: uploads }),
    reclassified > 0 && batchTexts.done.reclassify({ count: reclassified }),
    moved > 0 && batchTexts.done.move({ count: moved }),
    downloads > 0 && texts.downloads({ count: downloads }),
    skipped > 0 && texts.skippedUploads({ count: skipped }),
  ]);
}

function badText(
  tab: Tab,
  { failed, lost }: Pick<TabSummary, 'failed' | 'lost'>,
  one: Transfer | null,
): string {
  if (one === null)
    return formatList([
      lost > 0 && transferTexts.trouble.lost({ count: lost }),
      failed > 0 && (tab === 'jobs' ? transferTexts.trouble.failed : texts.failed)({ count: failed }),
    ]);
  const { identifier, error } = one;
  if (lost > 0) return texts.lostOne({ identifier });
  return error === null
    ? texts.failedOne({ identifier })
    : texts.failedOneFor({ identifier, title: errorText(error).title });
}

function closingText(closing: readonly Closing[]): string {
  const first = closing.reduce((a, b) => (b.leftMs < a.leftMs ? b : a));
  const { identifier } = first;
  const duration = formatDuration(first.leftMs);
  return closing.length === 1
    ? texts.closing({ duration, identifier })
    : texts.closingMany({ count: closing.length, duration, identifier });
}

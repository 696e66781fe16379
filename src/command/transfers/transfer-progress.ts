import { isFinished, type Transfer } from '../../shared/domain/transfer.ts';
import { formatProgress } from '../../shared/i18n/format.ts';
import type { Output } from '../terminal/output.ts';
import { commandTexts as texts } from '../texts.ts';

/** Shows the progress of `total` transfers. Finished ones keep counting, and a restarted file never moves the bar back. */
export function createTransferProgress(
  { progress, showsProgress }: Pick<Output, 'progress' | 'showsProgress'>,
  total: number,
): (now: readonly Transfer[]) => void {
  let endedBytes = 0;
  const shown = { doneBytes: 0, totalBytes: 0, fraction: 0 };
  return (now) => {
    endedBytes += sum(now.filter(({ state }) => isFinished(state)).map(({ totalBytes }) => totalBytes));
    const left = now.filter(({ state }) => !isFinished(state));
    if (!showsProgress || left.length === 0) return;
    const doneBytes = sum(left.map((transfer) => transfer.doneBytes));
    const totalBytes = sum(left.map((transfer) => transfer.totalBytes));
    const ended = total - left.length;
    const moving = totalBytes === 0 ? 0 : (left.length * doneBytes) / totalBytes;
    shown.doneBytes = Math.max(shown.doneBytes, endedBytes + doneBytes);
    shown.totalBytes = Math.max(shown.totalBytes, endedBytes + totalBytes);
    shown.fraction = Math.max(shown.fraction, (ended + moving) / total);
    const files = texts.progress({ done: ended, total });
    progress(`${files}  ${formatProgress(shown.doneBytes, shown.totalBytes)}`, shown.fraction);
  };
}

function sum(bytes: readonly (number | null)[]): number {
  return bytes.reduce<number>((all, each) => all + (each ?? 0), 0);
}

import { messages } from '../../shared/i18n/messages.ts';
import type { Replacing, Transfer } from '../../shared/domain/transfer.ts';
import { formatDuration } from '../../shared/i18n/format.ts';
import { troubleText, waitingText, waitingWord, type Waiting } from './waiting-text.ts';

/** Replacing an object; the replaced one is kept for a while. */
export const replaceTexts = messages('replace', {
  word: 'Replacing',
  // A line in the dock has room for about 38 letters.
  step: {
    wait: 'Waiting to replace the stored object',
    keepNew: 'Replacing, keeping your version first',
    keepOld: 'Replacing, keeping the old version first',
    stage: 'Replacing, the old version is kept',
    delete: 'Replacing, both versions are kept',
    store: 'Replacing, both versions are kept',
    check: 'Verifying, the old version is kept',
    finish: 'Replaced and verified, tidying up',
    takeBack: 'Undoing, the stored object is unchanged',
  } as const satisfies Record<Replacing['step'], string>,
  again: 'Replaced. Final check in {duration}; the old version is safe',
  once: 'Replaced. Final check; the old version is safe',
  againShort: 'Replaced, final check in {duration}',
  onceShort: 'Replaced, final check',
  // The safe versions come before the reason, which may be cut off in a narrow line.
  held: '{waiting}, {safe}',
  heldBy: '{waiting}, {safe}: {trouble}',
  safe: {
    wait: 'nothing is replaced yet',
    keepNew: 'nothing is replaced yet',
    keepOld: 'nothing is replaced yet',
    stage: 'the old version is kept',
    delete: 'both versions are kept',
    store: 'both versions are kept',
    check: 'the old version is kept',
    finish: 'it is replaced and verified',
    takeBack: 'the stored object is unchanged',
  } as const satisfies Record<Replacing['step'], string>,
  reclassify: {
    word: 'Reclassifying',
    step: {
      wait: 'Waiting to change its classification',
      keepNew: 'Reading it first',
      keepOld: 'Reading it first',
      stage: 'Copying it with its new classification',
      delete: 'Replacing it, a verified copy is kept',
      store: 'Replacing it, a verified copy is kept',
      check: 'Verifying, a copy is kept',
      finish: 'Classification changed, tidying up',
      takeBack: 'Undoing, the object is unchanged',
    } as const satisfies Record<Replacing['step'], string>,
    again: 'Changed. Final check in {duration}',
    once: 'Changed. Final check',
    safe: {
      wait: 'nothing is changed yet',
      keepNew: 'nothing is changed yet',
      keepOld: 'nothing is changed yet',
      stage: 'nothing is changed yet',
      delete: 'a verified copy is kept',
      store: 'a verified copy is kept',
      check: 'a verified copy is kept',
      finish: 'its classification is changed',
      takeBack: 'the object is unchanged',
    } as const satisfies Record<Replacing['step'], string>,
    done: 'Done, now {classification}',
    copyBeside: 'A whole copy is on the service as {identifier}.',
  },
  third:
    'Waiting for your answer. Something else was stored during the replacement. Your version and the old version are kept.',
  done: 'Done, {size} replaced, the old version is kept',
  doneBeside: 'Done, {size} replaced, the old version is {identifier}',
  undo: 'Undo replace',
  undoing: 'Restoring the previous version…',
  undoAs: {
    title: 'Which classification?',
    text: '{identifier} has another classification now than the version that you restore.',
    parts:
      '{identifier} has another classification now than the version that you restore: {present}. Its parts are stored with {kept} and keep it.',
    question: 'Classification of the restored version',
    present: 'What the object has now',
    kept: 'What the version had',
    button: 'Restore',
    buttonParts: 'Restore as {kept}',
  },
  oldHere: 'The old version is kept on this computer.',
  oldBeside: 'The old version is on the service as {identifier}.',
  newHere: 'The new version is kept on this computer.',
  newBeside: 'The new version is on the service as {identifier}.',
  newBoth: 'The new version is kept on this computer and is on the service as {identifier}.',
  undoCopies: {
    replaced: 'Replaced',
    kept: '{when}, kept until {until}',
    back: 'Restore this version: {when}',
    saveAs: 'Save this version as…: {when}',
    saved: '{fileName} saved',
  },
});

/** Progress of a Replace, including which version is safe. */
export function replacingText({ isReclassification, step, againAtMs }: Replacing, nowMs: number): string {
  const texts = isReclassification ? replaceTexts.reclassify : replaceTexts;
  if (againAtMs === null) return texts.step[step];
  if (againAtMs <= nowMs) return texts.once;
  return texts.again({ duration: formatDuration(againAtMs - nowMs) });
}

/** As `replacingText`, for a line in the dock. */
function shortText(replacing: Replacing, nowMs: number): string {
  const { isReclassification, againAtMs } = replacing;
  if (isReclassification || againAtMs === null) return replacingText(replacing, nowMs);
  if (againAtMs <= nowMs) return replaceTexts.onceShort;
  return replaceTexts.againShort({ duration: formatDuration(againAtMs - nowMs) });
}

/** The line of a running Replace: starts with what delays it, if anything. */
export function replacingLine(replacing: Replacing, waiting: Waiting, nowMs: number): string {
  const { waitingFor, error } = waiting;
  if (waitingFor === null) return shortText(replacing, nowMs);
  const isTimed = waitingFor === 'retry' || waitingFor === 'network';
  const { safe } = replacing.isReclassification ? replaceTexts.reclassify : replaceTexts;
  // Duration first, reason last.
  const parts = {
    waiting: (isTimed ? waitingWord : waitingText)(waiting, nowMs),
    safe: safe[replacing.step],
  };
  if (!isTimed || error === null) return replaceTexts.held(parts);
  return replaceTexts.heldBy({ ...parts, trouble: troubleText(error) });
}

/** Where each of the two versions is, after a failure that came too late to undo. */
export function whereText(replacing: Replacing | undefined): string[] {
  if (!replacing?.isOut) return [];
  const { isReclassification, oldIsHere, oldBeside, newIsHere, newBeside } = replacing;
  if (isReclassification)
    return newBeside === null ? [] : [replaceTexts.reclassify.copyBeside({ identifier: newBeside })];
  return [
    ...(oldIsHere ? [replaceTexts.oldHere] : []),
    ...(oldBeside !== null ? [replaceTexts.oldBeside({ identifier: oldBeside })] : []),
    newBeside === null
      ? replaceTexts.newHere
      : (newIsHere ? replaceTexts.newBoth : replaceTexts.newBeside)({ identifier: newBeside }),
  ];
}

/** The prompt of a Replace that is under way; null: the usual one. */
export function askingText({
  replacing,
  waitingFor,
}: Pick<Transfer, 'replacing' | 'waitingFor'>): string | null {
  return waitingFor === 'answer' && replacing?.isOut === true ? replaceTexts.third : null;
}

import { errorTitle } from '../../../../shared/i18n/error-text.ts';
import { midSentence } from '../../../i18n/mid-sentence.ts';
import { detailTexts as texts } from '../../../i18n/object-texts.ts';
import type { HistoryEntry, ObjectKind } from '../../../../shared/domain/object.ts';

/** `Downloaded, digest matches`. A detail that is the code of an error is told in words. */
export function historyText({ action, detail }: HistoryEntry, kind: ObjectKind): string {
  const what = (kind === 'secret' && ofSecret(action)) || texts.happened[action];
  if (detail === null || detail === '') return what;
  if (action === 'secretRead') return isPurpose(detail) ? texts.readFor[detail] : what;
  return texts.happenedSo({ what, detail: detailText(detail) });
}

/** There is nothing to compare a secret with, and it cannot be asked for. */
function ofSecret(action: HistoryEntry['action']): string | null {
  return action === 'uploaded' || action === 'uploadFailed' || action === 'added'
    ? texts.happenedToSecret[action]
    : null;
}

/** What the value of a secret was read for, as main notes it. */
function isPurpose(detail: string): detail is keyof typeof texts.readFor {
  return Object.hasOwn(texts.readFor, detail);
}

/** Main notes the code of an error, or that a check found another size. Anything else stays as it is. */
function detailText(detail: string): string {
  if (detail === 'anotherLength') return texts.anotherLength;
  if (detail === 'lost') return texts.resultLost;
  const title = errorTitle(detail);
  return title === null ? detail : midSentence(title);
}

import { errorTitle } from '../../../../shared/i18n/error-text.ts';
import { midSentence } from '../../../i18n/mid-sentence.ts';
import { detailTexts as texts } from '../../../i18n/detail-texts.ts';
import type { HistoryEntry, ObjectKind } from '../../../../shared/domain/object.ts';

/** `Downloaded, digest matches`. Error codes are replaced by texts. */
export function historyText({ action, detail }: HistoryEntry, kind: ObjectKind): string {
  const what = (kind === 'secret' && ofSecret(action)) || texts.happened[action];
  if (detail === null || detail === '') return what;
  if (action === 'moved') return texts.renamedFrom({ identifier: detail });
  if (action === 'secretRead') return isPurpose(detail) ? texts.readFor[detail] : what;
  return texts.happenedSo({ what, detail: detailText(detail) });
}

/** Secrets have no digest to compare, and cannot be checked. */
function ofSecret(action: HistoryEntry['action']): string | null {
  return action === 'uploaded' || action === 'uploadFailed' || action === 'added'
    ? texts.happenedToSecret[action]
    : null;
}

/** The purpose of reading a secret, as stored by main. */
function isPurpose(detail: string): detail is keyof typeof texts.readFor {
  return Object.hasOwn(texts.readFor, detail);
}

/** Main stores an error code, or that a check found another size. Anything else is shown as it is. */
function detailText(detail: string): string {
  if (detail === 'anotherLength') return texts.anotherLength;
  if (detail === 'lost') return texts.resultLost;
  const title = errorTitle(detail);
  return title === null ? detail : midSentence(title);
}

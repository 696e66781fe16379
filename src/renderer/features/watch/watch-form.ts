import type { Service } from '../../../shared/domain/service.ts';
import type { Settings } from '../../../shared/domain/settings.ts';
import {
  badPatterns,
  ignoreDefault,
  settleSeconds,
  type WatchChoices,
  type WatchedFolder,
} from '../../../shared/domain/watch.ts';
import { formatList } from '../../../shared/i18n/format.ts';
import { templateProblem } from '../../../shared/i18n/template-text.ts';
import { folderOf, usePlace } from '../../app/place.ts';
import { watchTexts } from './watch-texts.ts';

/** The dialog's form. `ignore`: one pattern per line. */
export type WatchForm = Omit<WatchChoices, 'ignore'> & { ignore: string };

/** @param label path of a new folder. Its files go into a folder of the same name below the open one */
export function startOf(
  service: Pick<Service, 'identifierTemplate' | 'separator'>,
  settings: Pick<Settings, 'uploadIfExists' | 'uploadRequest'>,
  folder: WatchedFolder | undefined,
  label = '',
): WatchForm {
  if (folder !== undefined) return { ...folder.choices, ignore: folder.choices.ignore.join('\n') };
  const name = label.split(/[\\/]/).findLast((part) => part !== '') ?? '';
  const here = folderOf(usePlace.getState());
  return {
    into: here === '' ? name : here + service.separator + name,
    template: service.identifierTemplate,
    classification: null,
    ifExists: settings.uploadIfExists,
    request: settings.uploadRequest,
    ignore: ignoreDefault.join('\n'),
    settleSeconds: settleSeconds.usual,
  };
}

export function patternsOf(ignore: string): string[] {
  return ignore
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

export function choicesOf(form: WatchForm, separator: string): WatchChoices {
  let into = form.into.trim();
  while (into.endsWith(separator)) into = into.slice(0, -separator.length);
  return { ...form, into, ignore: patternsOf(form.ignore) };
}

export function problemsOf({ template, ignore }: WatchForm): { template?: string; ignore?: string } {
  const unknown = template.trim() === '' ? watchTexts.dialog.templateEmpty : templateProblem(template);
  const bad = badPatterns(patternsOf(ignore));
  return {
    ...(unknown !== undefined && { template: unknown }),
    ...(bad.length > 0 && { ignore: watchTexts.dialog.ignoreBad({ pattern: formatList(bad) }) }),
  };
}

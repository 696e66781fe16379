import type { AppErrorOf } from '../errors.ts';
import { isRepeated } from '../domain/folder.ts';
import { separatorLengthMax } from '../domain/service.ts';
import { errorMessages } from './error-messages.ts';
import { fieldTexts as names } from './field-texts.ts';
import { formatCount, formatDuration, formatRate, formatSize } from './format.ts';
import { unknownPartsText } from './template-text.ts';
import { versionMarkProblemText } from './version-mark-text.ts';

const texts = errorMessages.invalidInput;

/** The window's names of fields, by the last segments of their path in the input schema. */
const fields: Readonly<Record<string, string>> = {
  name: names.name,
  baseAddress: names.baseAddress,
  token: names.token,
  'classificationSource.address': names.classificationAddress,
  'classificationSource.values': names.classificationList,
  'proxy.address': names.proxyAddress,
  user: names.proxyUser,
  password: names.proxyPassword,
  passphrase: names.passphrase,
  identifierTemplate: names.identifierTemplate,
  template: names.template,
  separator: names.separator,
  versionMark: names.versionMark,
  identifier: names.identifier,
  identifiers: names.identifiers,
  as: names.identifier,
  folder: names.folder,
  path: names.folder,
  intoFolder: names.folder,
  into: names.into,
  ignore: names.ignore,
  parent: names.folder,
  below: names.folder,
  'to.from': names.folder,
  'to.to': names.folder,
  classification: names.classification,
  value: names.classification,
  search: names.search,
  filter: names.search,
  typed: names.search,
  note: names.note,
  text: names.value,
  base64: names.value,
  revealed: names.value,
  ids: names.selection,
  objectIds: names.selection,
  transferIds: names.selection,
  plusIds: names.selection,
  exceptIds: names.selection,
  paths: names.selection,
  which: names.selection,
  entries: names.selection,
  opened: names.selection,
  grants: names.files,
  secrets: names.secrets,
  words: names.command,
  invitation: names.invitation,
  host: names.server,
  database: names.database,
  role: names.role,
  teamPassword: names.teamPassword,
  shown: names.shown,
  prefix: names.folder,
  access: names.people,
};

/** The same of fields for numbers, with how a number of theirs is written. */
const numberFields: Readonly<Record<string, { name: string; format: (value: number) => string }>> = {
  port: { name: names.port, format: String },
  maxObjectBytes: { name: names.maxObject, format: formatSize },
  maxSecretBytes: { name: names.maxSecret, format: formatSize },
  uploadBytesPerSecond: { name: names.upload, format: formatRate },
  downloadBytesPerSecond: { name: names.download, format: formatRate },
  transfersAtOnce: { name: names.transfersAtOnce, format: formatCount },
  requestsPerSecond: { name: names.requests, format: formatCount },
  versionReach: { name: names.versionReach, format: formatCount },
  keepReplacedDays: { name: names.keepFor, format: formatCount },
  keepReplacedBytes: { name: names.keepAtMost, format: formatSize },
  settleSeconds: { name: names.settle, format: (seconds) => formatDuration(seconds * 1000) },
  length: { name: names.secretLength, format: formatCount },
  words: { name: names.secretWords, format: formatCount },
};

/** Problems that a person can cause have their own text; anything else is our bug. */
export function inputProblem({ field, problem, values = [], limit = 0 }: AppErrorOf<'invalidInput'>): string {
  const name = nameOf(field);
  if (name !== undefined && problem === 'tooLong') return texts.tooLong({ field: name, limit });
  if (name !== undefined && problem === 'tooManyBytes') return texts.tooManyBytes({ field: name, limit });
  if (name !== undefined && problem === 'tooMany') return texts.tooMany({ field: name, limit });
  if (name !== undefined && problem === 'empty') return texts.empty({ field: name });
  if (problem === 'tooLarge' || problem === 'tooSmall') {
    const number = numberFields[field.split('.').at(-1) ?? ''];
    if (number !== undefined) return texts[problem]({ field: number.name, limit: number.format(limit) });
  }
  if (problem === 'unknownPart') return unknownPartsText(values);
  if (field === 'versionMark') return versionMarkProblemText(problem);
  const known: Readonly<Record<string, string>> = {
    'sheet uploading': texts.uploading,
    'token characters': texts.tokenCharacters,
    'downloadFolder notAFolder': texts.notAFolder,
    'source emptySecret': texts.emptySecret,
    'source loneSurrogate': texts.loneSurrogate,
    'saveAs oneObjectOnly': texts.oneObjectOnly,
    'separator repeated': texts.separatorRepeated,
    'favourite tooMany': texts.tooManyFavourites,
    'serviceId local': texts.localTeam,
  };
  const general =
    name !== undefined && problem === 'characters' ? texts.characters({ field: name }) : texts.other;
  return known[`${field} ${problem}`] ?? general;
}

/** The problem of a folder separator while it is entered; undefined: none. */
export function separatorProblem(separator: string): string | undefined {
  const field = 'separator';
  if (separator.length > separatorLengthMax)
    return inputProblem({ code: 'invalidInput', field, problem: 'tooLong', limit: separatorLengthMax });
  return isRepeated(separator) ? texts.separatorRepeated : undefined;
}

/** @param field with the number of an entry, if it is in a list: `draft.classificationSource.values.3` */
function nameOf(field: string): string | undefined {
  const keys = field.split('.').filter((key) => !/^\d+$/.test(key));
  return fields[keys.slice(-2).join('.')] ?? fields[keys.at(-1) ?? ''];
}

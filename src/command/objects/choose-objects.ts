import type { ListedObject } from '../../shared/contract.ts';
import { folderAbove, nameWithin } from '../../shared/domain/folder.ts';
import { isMadeByCoffer } from '../../shared/domain/made-names.ts';
import { selectionIdsMax, type ObjectQuery } from '../../shared/domain/object.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { atOnce, findListed, findMeant, type Meant } from './find-objects.ts';
import {
  compileNarrowing,
  compilePattern,
  fixedFolder,
  hasWildcard,
  type Narrowing,
} from '../files/patterns.ts';
import { selectionTexts as texts } from '../files/selection-texts.ts';

/** @param below the object is saved under its path relative to this folder; null: under its name alone */
export type Chosen = Pick<ListedObject, 'id' | 'identifier' | 'lengthBytes' | 'unverified'> & {
  readonly below: string | null;
};

export interface Choice {
  readonly chosen: readonly Chosen[];
  /** Exit codes of what was not found; the errors have been printed. */
  readonly codes: readonly ExitCode[];
}

export interface ChoiceOptions extends Narrowing {
  /** Match older versions, too. */
  readonly allVersions?: boolean;
  /** Leave out objects with names that Coffer made, unless they are named one by one. */
  readonly sparesMade?: boolean;
  /** Look unlisted identifiers up at the service. */
  readonly checksFurther?: boolean;
  /** With `looksFurther`: an identifier means exactly that object, not the newest version. */
  readonly exact?: boolean;
  /** Without a stored list, take exact identifiers to be there: the caller's own request shows whether they are. */
  readonly unseen?: boolean;
}

const rowsAtOnce = 5000;
/** Maximum number of names that were not found and are looked up as folders. */
const maxAdvised = 20;
/** States in which an object may be at the service, `missing` included: it is reported, not skipped. */
const mayBeThere = new Set<ListedObject['state']>(['stored', 'unknown', 'missing']);

/**
 * Finds the objects that words name: an identifier, a folder with its separator at the end, or a pattern. A listed
 * identifier is never a pattern, even if it looks like one. Each object once, in the order of the words.
 * @throws Usage
 */
export async function chooseObjects(
  context: Context,
  service: Service,
  words: readonly string[],
  options: ChoiceOptions = {},
): Promise<Choice> {
  const { output, hasList } = context;
  const { separator } = service;
  const isWide = (word: string) => hasWildcard(word) || word.endsWith(separator);
  const wide = hasList ? await withoutListed(context, service, words.filter(isWide)) : new Set<string>();
  const chosen = new Map<number, Chosen>();
  const spared = new Set<number>();
  const codes: ExitCode[] = [];
  const isWanted = compileNarrowing(options, separator);
  const plain = words.filter((word) => !wide.has(word));
  // What looks like a folder or a pattern is looked up first: if it is none, the advice comes before anything is done.
  const unseen = options.unseen === true && !plain.some(isWide);
  const found = await findPlain(context, service, plain, { ...options, unseen });
  codes.push(...found.codes);
  if (found.codes.length > 0) await sayWhyNotFound(context, service, plain, found.named, isWide);
  for (const word of new Set(words)) {
    const row = found.named.get(word);
    if (row && isWanted(nameWithin(word, folderAbove(word, separator), separator)))
      chosen.set(row.id, { ...row, below: null });
    if (!wide.has(word)) continue;
    let count = 0;
    for await (const each of matching(context, service, word, options)) {
      count += 1;
      if (!isWanted(nameWithin(each.identifier, rootOf(word, separator), separator))) continue;
      if (options.sparesMade && isMadeByCoffer(each.identifier)) spared.add(each.id);
      else if (!chosen.has(each.id)) chosen.set(each.id, each);
    }
    if (count > 0) continue;
    output.error(texts.matchesNothing({ pattern: word, service: service.name }));
    codes.push(exitCodes.notFound);
  }
  const stay = [...spared].filter((id) => !chosen.has(id)).length;
  if (stay > 0) output.say(texts.madeStay({ count: stay }));
  if (chosen.size > selectionIdsMax)
    throw new Usage(texts.tooMany({ count: chosen.size, max: selectionIdsMax }));
  return { chosen: [...chosen.values()], codes };
}

async function findPlain(
  context: Context,
  service: Service,
  words: readonly string[],
  { checksFurther = false, exact = false, unseen = false }: ChoiceOptions,
): Promise<Meant> {
  if (words.length === 0) return { named: new Map(), codes: [] };
  if (checksFurther) return findMeant(context, service, words, exact, unseen);
  const { rows, codes } = await findListed(context, service, words, unseen);
  return { named: new Map(rows.map((row) => [row.identifier, row])), codes };
}

/** Suggests writing words as folders if that would find them, or using a list. */
async function sayWhyNotFound(
  { coffer, output, hasList }: Context,
  { id: serviceId, separator }: Service,
  words: readonly string[],
  named: Meant['named'],
  isWide: (word: string) => boolean,
): Promise<void> {
  if (!hasList) {
    if (words.some(isWide)) output.error(texts.noList);
    return;
  }
  const absent = words.filter((word) => !named.has(word)).slice(0, maxAdvised);
  const sort = { column: 'identifier', direction: 'ascending' } as const;
  for (const path of absent) {
    const query = { serviceId, kind: 'data', place: { kind: 'folder', path }, search: '', sort } as const;
    const { total } = await coffer.call('command.list', { query, offset: 0, limit: 1 });
    if (total > 0) output.error(texts.isFolder({ path, folder: path + separator }));
  }
}

/** The words that are not identifiers of the list. */
async function withoutListed(
  { coffer }: Context,
  { id: serviceId }: Service,
  words: readonly string[],
): Promise<Set<string>> {
  const left = new Set(words);
  for (let from = 0; from < words.length; from += atOnce) {
    const identifiers = words.slice(from, from + atOnce);
    const { objects } = await coffer.call('command.find', { serviceId, kind: 'data', identifiers });
    for (const row of objects) if (row) left.delete(row.identifier);
  }
  return left;
}

/** The folder that `--include` and `--exclude` are relative to. */
function rootOf(word: string, separator: string): string {
  return hasWildcard(word) ? fixedFolder(word, separator) : withoutEnd(word, separator);
}

async function* matching(
  context: Context,
  service: Service,
  word: string,
  { allVersions = false }: ChoiceOptions,
): AsyncGenerator<Chosen> {
  const { separator } = service;
  const root = rootOf(word, separator);
  const matches = hasWildcard(word)
    ? compilePattern(word, separator)
    : (identifier: string) => identifier.startsWith(word);
  const below = hasWildcard(word) ? root : folderAbove(root, separator);
  for await (const row of listBelow(context, service, root, allVersions))
    if (mayBeThere.has(row.state) && matches(row.identifier)) yield { ...row, below };
}

/** The listed objects below a folder, '' for all, as of the first page. */
async function* listBelow(
  { coffer, interrupted }: Context,
  { id: serviceId }: Pick<Service, 'id'>,
  folder: string,
  allVersions: boolean,
): AsyncGenerator<ListedObject> {
  const query: ObjectQuery = {
    serviceId,
    kind: 'data',
    place: folder === '' ? { kind: 'all' } : { kind: 'folder', path: folder },
    search: '',
    allVersions,
    sort: { column: 'identifier', direction: 'ascending' },
  };
  const listing = crypto.randomUUID();
  for (let offset = 0, total = 1; offset < total; offset += rowsAtOnce) {
    const page = await coffer.call('command.list', { query, offset, limit: rowsAtOnce, listing });
    interrupted.throwIfAborted();
    ({ total } = page);
    yield* page.rows;
  }
}

/** All listed objects below a folder, '' for all, with all their versions. */
export async function readBelow(context: Context, service: Service, folder: string): Promise<ListedObject[]> {
  const rows: ListedObject[] = [];
  for await (const row of listBelow(context, service, folder, true)) rows.push(row);
  return rows;
}

/** A folder without the separators at its end. */
export function withoutEnd(folder: string, separator: string): string {
  let end = folder.length;
  while (end > 0 && folder.endsWith(separator, end)) end -= separator.length;
  return folder.slice(0, Math.max(end, 0));
}

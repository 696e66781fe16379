import { isSeenUntouched, type SeenState } from '../../main/local-files/file-state.ts';
import type { ListedObject } from '../../shared/contract.ts';
import { nameWithin } from '../../shared/domain/folder.ts';
import { isUnverified, isHearsay, provenDigest } from '../../shared/domain/unverified.ts';
import { isMadeByCoffer } from '../../shared/domain/made-names.ts';
import type { Service } from '../../shared/domain/service.ts';
import { versionOf } from '../../shared/domain/versions.ts';
import type { AppError } from '../../shared/errors.ts';
import { digestFiles, type Digested } from '../files/digest-files.ts';
import type { LocalFile } from '../files/find-files.ts';
import type { NamedFile } from '../transfers/name-files.ts';
import type { Matches } from '../../shared/domain/pattern.ts';
import type { Problems } from '../transfers/send-files.ts';

/** `absent`: not stored; `differs`: other bytes; `unknown`: the list does not know its digest, or whether it is stored. */
export type Difference = 'absent' | 'differs' | 'unknown';

export interface Comparison {
  readonly changed: (NamedFile & { readonly why: Difference })[];
  readonly unchanged: number;
  readonly problems: Problems['problems'][number][];
  /** Files whose name is that of a version of another file in the folder, with that file's identifier. */
  readonly versionNames: { readonly fileName: string; readonly base: string }[];
  readonly unreadable: { readonly fileName: string; readonly error: AppError }[];
}

/** Digests of files by path, so that only files that somebody may have touched are read again. */
export type KnownDigests = Map<string, { readonly file: SeenState; readonly sha256: string }>;

/** A file changed within this many ms may change again within the same tick of its file system's clock. */
const tickMs = 2000;

export interface CompareOptions {
  readonly naming: Pick<Service, 'separator' | 'versionMark'>;
  /** `newVersion`: a file is compared with its newest version; `replace`: with the object of its name; `skip`: not at all. */
  readonly ifExists: 'newVersion' | 'replace' | 'skip';
  readonly identifierOf: (file: LocalFile) => string;
  /** Digests read are added. Omitted: reads every file. */
  readonly known?: KnownDigests | undefined;
  readonly signal: AbortSignal;
}

interface Listed {
  readonly number: number;
  readonly row: ListedObject;
}

/**
 * Compares files with the list by length and digest, never by time. What the list does not know for certain counts as changed:
 * the upload checks the service, and stores nothing twice. @throws the signal's reason
 */
export async function compareWithList(
  files: readonly LocalFile[],
  rows: Iterable<ListedObject>,
  { naming, ifExists, identifierOf, known, signal }: CompareOptions,
): Promise<Comparison> {
  const { separator, versionMark } = naming;
  const byVersion = ifExists === 'newVersion';
  const familyOf = (identifier: string) =>
    byVersion ? versionOf(identifier, separator, versionMark) : { base: identifier, number: 1 };
  const listed = new Map<string, Listed>();
  for (const row of rows) {
    if (row.state === 'gone' || row.state === 'failed' || row.state === 'deleting') continue;
    const { base, number } = familyOf(row.identifier);
    const other = listed.get(base);
    if (other === undefined || isBefore(other, { number, row })) listed.set(base, { number, row });
  }
  const comparison: Comparison = {
    changed: [],
    unchanged: 0,
    problems: [],
    versionNames: [],
    unreadable: [],
  };
  const named = nameEach(files, identifierOf, familyOf, comparison);
  const perhapsSame: (LocalFile & { identifier: string; sha256: string })[] = [];
  let unchanged = 0;
  for (const { file, identifier, base } of named) {
    const row = listed.get(base)?.row;
    const isStored = row?.state === 'stored';
    const digest = row ? provenDigest(row) : null;
    if (isStored && ifExists === 'skip' && !isUnverified(row, 'presence')) unchanged += 1;
    else if (isStored && row.lengthBytes === file.sizeBytes && digest !== null)
      perhapsSame.push({ ...file, identifier, sha256: digest });
    else comparison.changed.push({ path: file.path, identifier, why: whyChanged(file, row) });
  }
  for await (const { file, ...digested } of digestUnknown(perhapsSame, known, signal)) {
    if ('error' in digested) comparison.unreadable.push({ fileName: file.relative, error: digested.error });
    else if (digested.sha256 === file.sha256) unchanged += 1;
    else comparison.changed.push({ path: file.path, identifier: file.identifier, why: 'differs' });
  }
  return { ...comparison, unchanged };
}

/** Versions that were seen come after those that are only hearsay. */
function isBefore(a: Listed, b: Listed): boolean {
  const [seenA, seenB] = [!isHearsay(a.row), !isHearsay(b.row)];
  return seenA === seenB ? a.number < b.number : seenB;
}

async function* digestUnknown<T extends LocalFile>(
  files: readonly T[],
  known: KnownDigests | undefined,
  signal: AbortSignal,
): AsyncGenerator<Digested<T>> {
  const toRead: T[] = [];
  for (const file of files) {
    const before = known?.get(file.path);
    if (before !== undefined && isSeenUntouched(before.file, file)) yield { file, sha256: before.sha256 };
    else toRead.push(file);
  }
  const nowMs = Date.now();
  for await (const digested of digestFiles(toRead, signal)) {
    const { path, mtimeMs, ctimeMs = 0 } = digested.file;
    if ('sha256' in digested && Math.max(mtimeMs, ctimeMs) < nowMs - tickMs) known?.set(path, digested);
    yield digested;
  }
}

function whyChanged({ sizeBytes }: LocalFile, row: ListedObject | undefined): Difference {
  if (row === undefined || row.state === 'missing') return 'absent';
  return row.state === 'stored' && row.lengthBytes !== null && row.lengthBytes !== sizeBytes
    ? 'differs'
    : 'unknown';
}

/**
 * Whether an object may be stored, but has no file, neither under its own name nor under that of its base. Objects that Coffer
 * keeps for its own work never have one.
 * @param to the folder of the list, '' for all
 * @param identifiers of all files, also of those that cannot be uploaded
 * @param isWanted takes paths below the folder, with `/`
 */
export function isWithoutFile(
  { identifier, state }: ListedObject,
  identifiers: ReadonlySet<string>,
  { separator, versionMark }: CompareOptions['naming'],
  to: string,
  isWanted: Matches,
): boolean {
  if ((state !== 'stored' && state !== 'unknown') || isMadeByCoffer(identifier)) return false;
  const { base } = versionOf(identifier, separator, versionMark);
  const path = pathBelow(base, to, separator);
  return !identifiers.has(identifier) && !identifiers.has(base) && isWanted(path);
}

/** The path of the file that has this identifier, with `/`. */
export function pathBelow(identifier: string, to: string, separator: string): string {
  return nameWithin(identifier, to, separator).split(separator).join('/');
}

/** Gives files the identifiers below a folder of the list, '' for the top. */
export function identifiersBelow(to: string, separator: string): (file: LocalFile) => string {
  const prefix = to === '' ? '' : to + separator;
  return ({ relative }) => prefix + relative.split('/').join(separator);
}

/** Returns the files that can be uploaded, and adds the others to the problems. */
function nameEach(
  files: readonly LocalFile[],
  identifierOf: (file: LocalFile) => string,
  familyOf: (identifier: string) => { base: string; number: number },
  { problems, versionNames }: Comparison,
): { file: LocalFile; identifier: string; base: string }[] {
  const identifiers = new Set(files.map(identifierOf));
  const taken = new Set<string>();
  return files.flatMap((file) => {
    const { relative: fileName, trouble } = file;
    const identifier = identifierOf(file);
    const { base, number } = familyOf(identifier);
    if (trouble !== null) problems.push({ fileName, problem: { code: trouble } });
    else if (taken.has(identifier)) problems.push({ fileName, problem: { code: 'sameIdentifier' } });
    // Each would count as the newest version of the other, and both would be stored again every time.
    else if (number > 1 && identifiers.has(base)) versionNames.push({ fileName, base });
    else {
      taken.add(identifier);
      return [{ file, identifier, base }];
    }
    return [];
  });
}

import { fileKinds } from '../../../../shared/domain/file-kind.ts';
import type { Folder, ObjectState } from '../../../../shared/domain/object.ts';
import {
  allowedInstead,
  fileKindWords,
  foldText,
  myself,
  type SearchProblem,
} from '../../../../shared/domain/search.ts';
import { searchKeys, tokensOf, type SearchToken } from '../../../../shared/domain/search-tokens.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { detailTexts } from '../../../i18n/detail-texts.ts';
import { objectTexts } from '../../../i18n/object-texts.ts';
import { usefulFilters } from './search-problem.ts';

/** A replacement or completion for a token. */
export interface Suggestion {
  readonly label: string;
  /** The complete token. */
  readonly text: string;
  /** Whether the token is incomplete, so that no space follows it. */
  readonly isOpen: boolean;
  /** Written in search syntax, not in words. */
  readonly isCode: boolean;
  /** A classification, for its colour. */
  readonly classification?: string | null;
}

/** Values that only main knows. */
export interface SearchSources {
  /** null: the service default. */
  readonly classes: readonly (string | null)[];
  /** Folders below the folder part already written. */
  readonly folders: readonly Folder[];
  readonly separator: string;
  /** The names of colleagues; null: there is no team. */
  readonly people: readonly string[] | null;
}

const shownMax = 40;
const states: readonly ObjectState[] = ['failed', 'missing', 'unknown', 'uploading', 'deleting', 'stored'];

/** The token at, or ending at, the caret. */
export function tokenAt(search: string, caret: number): SearchToken | null {
  return tokensOf(search).find(({ start, end }) => start < caret && caret <= end) ?? null;
}

/**
 * The folder whose subfolders can complete what is written after `folder:`; '': the root, null: not a folder filter.
 */
export function parentOf(token: SearchToken | null, separator: string): string | null {
  if (token?.key !== 'folder') return null;
  const end = token.value.lastIndexOf(separator);
  return end < 0 ? '' : token.value.slice(0, end);
}

/** The text with the token replaced, and the new position of the caret. */
export function replaceToken(
  search: string,
  { start, end }: SearchToken,
  { text, isOpen }: Suggestion,
): { search: string; caret: number } {
  const rest = search.slice(end);
  const gap = isOpen || rest.startsWith(' ') ? '' : ' ';
  const caret = start + text.length + (isOpen ? 0 : 1);
  return { search: search.slice(0, start) + text + gap + rest, caret };
}

/** Completions of the token at the caret; none if it is complete. */
export function suggestionsFor(token: SearchToken | null, sources: SearchSources): Suggestion[] {
  if (token === null || token.key === null) return [];
  const typed = foldText(token.value);
  const fitting = valuesOf(token, sources).filter(({ label, text }) => {
    const value = foldText(text.slice(text.indexOf(':') + 1).replaceAll('"', ''));
    // Matches the start of any word.
    return [value, foldText(label)].some((name) => ` ${name}`.includes(` ${typed}`));
  });
  const isWhole = fitting.length === 1 && fitting[0]?.text === token.text;
  return isWhole ? [] : fitting.slice(0, shownMax);
}

/** Possible meanings of a token that is not a valid filter, including the text itself in quotes. */
export function remediesFor({ token, problem }: SearchProblem, sources: SearchSources): Suggestion[] {
  const minus = token.isExcluded ? '-' : '';
  switch (problem) {
    case 'key': {
      const given = token.key ?? '';
      const known = usefulFilters(searchKeys, sources.people !== null);
      const keys = known.toSorted((a, b) => sharedLength(b, given) - sharedLength(a, given));
      const value = token.text.slice(token.text.indexOf(':') + 1);
      const literal = `${minus}"${token.text.slice(minus.length).replaceAll('"', '')}"`;
      const [nearest, ...others] = keys.map((key): Suggestion => {
        return { label: `${key}:`, text: `${minus}${key}:${value}`, isOpen: true, isCode: true };
      });
      const asText: Suggestion = { label: literal, text: literal, isOpen: false, isCode: true };
      return [...(nearest === undefined ? [] : [nearest]), asText, ...others];
    }
    case 'exclude': {
      const text = token.text.slice(1);
      return [{ label: text, text, isOpen: false, isCode: true }];
    }
    case 'size':
    case 'state':
    case 'date':
    case 'kind':
    case 'shared':
      return valuesOf(token, sources);
  }
}

function valuesOf(token: SearchToken, { classes, folders, separator, people }: SearchSources): Suggestion[] {
  const before = `${token.isExcluded ? '-' : ''}${token.key ?? ''}:`;
  const plain = (value: string, label = value): Suggestion => {
    return { label, text: before + value, isOpen: false, isCode: label === value };
  };
  switch (token.key) {
    case 'class':
      return classes.flatMap((value) => {
        if (value?.includes('"') === true) return [];
        const isAmbiguous = classes.some((other) => other !== value && other?.startsWith(value ?? ''));
        const text = before + (value === null ? '""' : quoted(value, isAmbiguous));
        const label = value ?? commonTexts.serviceDefault;
        return [{ label, text, isOpen: false, isCode: false, classification: value }];
      });
    case 'folder':
      return folders.flatMap(({ path, hasChildren }) => {
        if (path.includes('"')) return [];
        const isOpen = hasChildren && !/[\s*]/u.test(path);
        return [
          {
            label: path,
            text: before + (isOpen ? path + separator : quoted(path, true)),
            isOpen,
            isCode: false,
          },
        ];
      });
    case 'state':
      return states.map((state) => plain(state, objectTexts.state[state]));
    case 'kind':
      return fileKinds.map((kind) => plain(fileKindWords[kind], detailTexts.kinds[kind]));
    case 'by':
      if (people === null) return [];
      return [
        plain(myself, commonTexts.you),
        ...people
          .filter((name) => !name.includes('"'))
          .map((name) => ({ label: name, text: before + quoted(name, true), isOpen: false, isCode: false })),
      ];
    case 'shared':
      return allowedInstead.shared.map((value) => plain(value));
    case 'size':
      return ['>1mb', '>10mb', '<10kb'].map((size) => plain(size));
    case 'before':
    case 'after':
      return daysNow().map((day) => plain(day));
    case null:
    default:
      return [];
  }
}

/** The first days of this month, this year and last year. */
function daysNow(): string[] {
  const now = new Date();
  const year = now.getFullYear();
  const month = String(now.getMonth() + 1).padStart(2, '0');
  return [...new Set([`${year}-${month}-01`, `${year}-01-01`, `${year - 1}-01-01`])];
}

function quoted(value: string, isExact: boolean): string {
  return isExact || /[\s*]/u.test(value) ? `"${value}"` : value;
}

/** Length of the common prefix. */
function sharedLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

import { isPartId, isStagedCopy, ownerOf } from '../../../../src/shared/domain/made-names.ts';
import type { SimulatedService } from '../simulated-service.ts';
import { listsNaming } from './lists.ts';

/**
 * What a person asks for that may lead to a DELETE. `giveUp`: an upload is cancelled, removed from the list, or gets another file
 * or name; `clearUndoCopies`: undo copies are cleared; `leftovers`: reported orphans are deleted.
 */
export type WishKind = 'delete' | 'replace' | 'giveUp' | 'clearUndoCopies' | 'leftovers';

interface Wish {
  readonly who: string;
  readonly kind: WishKind;
  /** null: all identifiers. */
  readonly identifier: string | null;
}

/** The wishes of all persons of a world, each recorded before the installation gets it. */
export class Wishes {
  /** Texts by the identifiers that persons chose for them: an object with a name like those Coffer makes may be theirs. */
  readonly #chosen = new Map<string, Set<string>>();
  readonly #wishes: Wish[] = [];
  /** Deletions that follow from the absence of a file: each covers one DELETE. */
  readonly #absences: Wish[] = [];
  /** Who sent the last DELETE, by identifier. */
  readonly #deletedBy = new Map<string, string>();

  add(who: string, kind: WishKind, identifier: string | null): void {
    this.#wishes.push({ who, kind, identifier });
  }

  choose(identifier: string, text: string): void {
    this.#chosen.set(identifier, (this.#chosen.get(identifier) ?? new Set()).add(text));
  }

  /** Whether the last version stored there is a file that a person chose this name for. */
  isChosen(service: SimulatedService, identifier: string): boolean {
    const last = service.versions.get(identifier)?.at(-1);
    return last !== undefined && this.#chosen.get(identifier)?.has(last.text) === true;
  }

  noteDeletion(identifier: string, who: string): void {
    this.#deletedBy.set(identifier, who);
  }

  /** Its file was gone for long enough when this installation sent a DELETE. */
  noteAbsence(identifier: string, who: string): void {
    this.#absences.push({ who, kind: 'delete', identifier });
  }

  /** How often this person asked to delete it, or its file was gone for long enough. */
  deletionsOf(who: string, identifier: string): number {
    return [...this.#wishes, ...this.#absences].filter(
      (wish) => wish.who === who && wish.kind === 'delete' && wish.identifier === identifier,
    ).length;
  }

  /** Whether any person has a wish for this very identifier. */
  matches(identifier: string): boolean {
    return this.#wishes.some(
      (wish) => wish.identifier === identifier && (wish.kind === 'delete' || wish.kind === 'replace'),
    );
  }

  /** Whether the person who deleted this part had asked to delete this manifest. */
  isDeletedWith(service: SimulatedService, partId: string, list: string): boolean {
    const who = this.#deletedBy.get(partId);
    if (who === undefined) return false;
    // A staged copy may outlast its Replace for a while, when others have replaced the object and cleared its undo copies. Of two who replace
    // it at the same moment one may keep a copy whose parts the other clears: a limit in docs/parts.md.
    const isCopyOfAnother = ownerOf(list) !== list && isOfAnother(service, who, list);
    if ((isStagedCopy(list) || isCopyOfAnother) && this.#hasClearedCopies(who, list)) return true;
    // A Replace may have moved the manifest beside the object.
    return [list, objectOf(list)].some((each) => this.deletionsOf(who, each) > 0);
  }

  #hasClearedCopies(who: string, list: string): boolean {
    return this.#has(who, 'clearUndoCopies', null) && this.#has(who, 'replace', objectOf(list));
  }

  /** What a DELETE of an installation lacks to be covered by a person's wish; null: it is covered. */
  whatLacks(service: SimulatedService, who: string, identifier: string): string | null {
    if (this.#has(who, 'delete', identifier) || this.#has(who, 'replace', identifier)) return null;
    if (this.isChosen(service, identifier)) return 'it is a file of a person, and nobody wished that';
    if (isPartId(identifier)) return this.#whatChunkLacks(service, who, identifier);
    const object = objectOf(identifier);
    if (object === identifier) return 'nobody wished that';
    if (isOfAnother(service, who, identifier))
      return 'it stands beside an object, and is of another installation';
    return this.#has(who, 'replace', object) ? null : `nobody wished to replace ${object}`;
  }

  #whatChunkLacks(service: SimulatedService, who: string, partId: string): string | null {
    const lists = listsNaming(service, partId);
    if (lists.some((list) => this.#has(who, 'delete', list))) return null;
    if (lists.some((list) => this.#hasClearedCopies(who, list))) return null;
    if (isOfAnother(service, who, partId))
      return `it is a part of ${lists.join(', ')}, and of another installation`;
    if (this.#has(who, 'leftovers', null)) return null;
    const hasGivenUp = this.#wishes.some(
      ({ who: whose, kind, identifier }) =>
        whose === who && kind === 'giveUp' && (identifier === null || partId.startsWith(stemOf(identifier))),
    );
    // A Replace may upload its parts again, with the classification of the object it found.
    const hasReplaced = lists.length === 0 && this.#has(who, 'replace', partId.replace(/~p-.*$/, ''));
    if (hasGivenUp || hasReplaced) return null;
    return lists.length === 0
      ? 'no list ever named it, and its upload was not given up'
      : `it is a part of ${lists.join(', ')}, and its upload was not given up`;
  }

  #has(who: string, kind: WishKind, identifier: string | null): boolean {
    return this.#wishes.some(
      (wish) => wish.who === who && wish.kind === kind && wish.identifier === identifier,
    );
  }
}

/** Whether others have sent the DELETE and this installation has not. */
function isOfAnother({ requests }: SimulatedService, who: string, identifier: string): boolean {
  const sent = requests.filter(
    (request) => request.identifier === identifier && ['POST', 'start'].includes(request.what),
  );
  return sent.length > 0 && sent.every((request) => request.who !== who);
}

/** The identifier of the object that a Replace's copy belongs to. */
function objectOf(identifier: string): string {
  return identifier.replace(/~[or]-[0-9a-f]{16}$/, '');
}

/** The common prefix of all names made from the same identifier. */
function stemOf(identifier: string): string {
  return identifier.replace(/[-@~. ].*$/, '');
}

import { isChunkId } from '../../../../src/main/transfers/chunks/manifest.ts';
import type { SimulatedService } from '../simulated-service.ts';
import { listsNaming } from './lists.ts';

/**
 * What a person may wish that ends in a DELETE. `giveUp`: an upload is cancelled, taken off the list or gets another file or name;
 * `clearKept`: what Replaces have kept is not needed any more; `leftovers`: so are parts that are told as left over.
 */
export type WishKind = 'delete' | 'replace' | 'giveUp' | 'clearKept' | 'leftovers';

interface Wish {
  readonly who: string;
  readonly kind: WishKind;
  /** null: of all. */
  readonly identifier: string | null;
}

/** What the persons of a world have wished for, each written down before the installation hears of it. */
export class Wishes {
  /** What persons have chosen identifiers for: what lies under a name like our own may be theirs. */
  readonly #chosen = new Map<string, Set<string>>();
  readonly #wishes: Wish[] = [];
  /** Who has sent a DELETE for it last. */
  readonly #deletedBy = new Map<string, string>();

  add(who: string, kind: WishKind, identifier: string | null): void {
    this.#wishes.push({ who, kind, identifier });
  }

  choose(identifier: string, text: string): void {
    this.#chosen.set(identifier, (this.#chosen.get(identifier) ?? new Set()).add(text));
  }

  /** What was stored there last is a file that a person chose this name for. */
  isChosen(service: SimulatedService, identifier: string): boolean {
    const last = service.versions.get(identifier)?.at(-1);
    return last !== undefined && this.#chosen.get(identifier)?.has(last.text) === true;
  }

  noteDeletion(identifier: string, who: string): void {
    this.#deletedBy.set(identifier, who);
  }

  /** How often this person wished to delete it. */
  deletionsOf(who: string, identifier: string): number {
    return this.#wishes.filter(
      (wish) => wish.who === who && wish.kind === 'delete' && wish.identifier === identifier,
    ).length;
  }

  /** Somebody wished that something becomes of this very object. */
  matches(identifier: string): boolean {
    return this.#wishes.some(
      (wish) => wish.identifier === identifier && (wish.kind === 'delete' || wish.kind === 'replace'),
    );
  }

  /** Whoever deleted this part had wished to delete this list. */
  isDeletedWith(partId: string, list: string): boolean {
    const who = this.#deletedBy.get(partId);
    // The list may have been moved beside the object meanwhile.
    return who !== undefined && [list, objectOf(list)].some((each) => this.#has(who, 'delete', each));
  }

  /** Whether a wish of its person covers a DELETE that leaves an installation. null: one does; else what it lacks. */
  whatLacks(service: SimulatedService, who: string, identifier: string): string | null {
    if (this.#has(who, 'delete', identifier) || this.#has(who, 'replace', identifier)) return null;
    if (this.isChosen(service, identifier)) return 'it is a file of a person, and nobody wished that';
    if (isChunkId(identifier)) return this.#whatPartLacks(service, who, identifier);
    const object = objectOf(identifier);
    if (object === identifier) return 'nobody wished that';
    if (isOfAnother(service, who, identifier))
      return 'it stands beside an object, and is of another installation';
    return this.#has(who, 'replace', object) ? null : `nobody wished to replace ${object}`;
  }

  #whatPartLacks(service: SimulatedService, who: string, partId: string): string | null {
    const lists = listsNaming(service, partId);
    if (lists.some((list) => this.#has(who, 'delete', list))) return null;
    const hasCleared = this.#has(who, 'clearKept', null);
    if (hasCleared && lists.some((list) => this.#has(who, 'replace', objectOf(list)))) return null;
    if (isOfAnother(service, who, partId))
      return `it is a part of ${lists.join(', ')}, and of another installation`;
    if (this.#has(who, 'leftovers', null)) return null;
    const hasGivenUp = this.#wishes.some(
      ({ who: whose, kind, identifier }) =>
        whose === who && kind === 'giveUp' && (identifier === null || partId.startsWith(stemOf(identifier))),
    );
    // An upload that replaces may begin its parts anew, with the classification of what it met.
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

/** Others have sent it, and this installation has not. */
function isOfAnother({ requests }: SimulatedService, who: string, identifier: string): boolean {
  const sent = requests.filter(
    (request) => request.identifier === identifier && ['POST', 'start'].includes(request.what),
  );
  return sent.length > 0 && sent.every((request) => request.who !== who);
}

/** What an identifier like those of a Replace stands beside. */
function objectOf(identifier: string): string {
  return identifier.replace(/~[or]-[0-9a-f]{16}$/, '');
}

/** What all names that are made from the same one begin with. */
function stemOf(identifier: string): string {
  return identifier.replace(/[-@~. ].*$/, '');
}

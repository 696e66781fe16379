/** Marks an upload without a chosen classification. */
export const notChosen = Symbol('not chosen');
type Chosen = string | null | typeof notChosen;

/** A person's request, and what must result from it. */
export interface Word {
  readonly kind: 'upload' | 'download' | 'delete' | 'storeSecret' | 'readSecret';
  readonly identifier: string;
  /** The origin of the service at that time. */
  readonly origin: string;
}

/** What persons asked for, and what may therefore be stored. */
export class Meant {
  readonly words: Word[] = [];
  /** The classifications that a person asked for, by origin and text. */
  readonly #texts = new Map<string, Map<string, Set<Chosen>>>();
  /** The classifications that objects were to be stored again with, by origin and identifier. */
  readonly #again = new Map<string, Set<string | null>>();

  mayStore(origin: string, text: string, classification: Chosen): void {
    const texts = this.#texts.get(origin) ?? new Map<string, Set<Chosen>>();
    this.#texts.set(origin, texts.set(text, (texts.get(text) ?? new Set()).add(classification)));
  }

  /** Anything may be stored under this identifier, with this classification. */
  mayStoreAny(origin: string, identifier: string, classification: string | null): void {
    const key = `${origin} ${identifier}`;
    this.#again.set(key, (this.#again.get(key) ?? new Set()).add(classification));
  }

  /** The texts that may be stored, with the classifications asked for. */
  textsAt(origin: string): ReadonlyMap<string, ReadonlySet<Chosen>> {
    return this.#texts.get(origin) ?? new Map<string, Set<Chosen>>();
  }

  /** The classifications that were requested for the object stored there, or for the object that this is a copy of. */
  storedAgain(origin: string, identifier: string): ReadonlySet<string | null> | undefined {
    return this.#again.get(`${origin} ${identifier.replace(/~r-[0-9a-f]+$/, '')}`);
  }
}

import { folderAbove } from '../../../shared/domain/folder.ts';
import { fitsFolder, foldText, type NamePattern } from '../../../shared/domain/search.ts';
import type { Folder } from '../../../shared/domain/object.ts';

/** Maximum number of folders in one answer. */
const foldersMax = 1000;
/** Above this, names are sorted by code units: locale order would be noticeably slow. */
const collatedMax = 5000;
const foldedAtOnce = 4096;
const names = new Intl.Collator('en', { numeric: true });

/** The folders of one service, each with the number of objects below it at any depth. */
export class FolderTree {
  readonly #separator: string;
  readonly #numbers = new Map<string, number>();
  readonly #paths: string[] = [];
  /** A parent's number is always lower than its children's. */
  readonly #parents: number[] = [];
  readonly #counts: number[] = [];
  /** Paths normalised for `fitsFolder`, for the first folders; the rest is computed by the next search. */
  readonly #folded: string[] = [];

  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Number of the folder that contains the identifier; -1: none. */
  place(identifier: string): number {
    return this.#number(folderAbove(identifier, this.#separator));
  }

  /** Adds `change` (may be negative) to the count of a folder. */
  tally(folder: number, change: number): void {
    for (let at = folder; at >= 0; at = this.#parents[at] ?? -1) {
      this.#counts[at] = (this.#counts[at] ?? 0) + change;
    }
  }

  /** By folder number: 1 for this path and everything below it; null: no such folder. */
  within(path: string): Uint8Array | null {
    const top = this.#numbers.get(path);
    if (top === undefined) return null;
    const inside = new Uint8Array(this.#paths.length);
    inside[top] = 1;
    for (let at = top + 1; at < inside.length; at += 1) inside[at] = inside[this.#parents[at] ?? -1] ?? 0;
    return inside;
  }

  /** Prepares what `fitting` searches, in steps of a few milliseconds. */
  *prepare(): Generator<void> {
    for (let at = this.#folded.length; at < this.#paths.length; at = this.#folded.length) {
      this.#folded.push(foldText(this.#separator + (this.#paths[at] ?? '') + this.#separator));
      if (at % foldedAtOnce === 0) yield;
    }
  }

  /** By folder number: 1 if the folder matches one of the patterns. */
  fitting(patterns: readonly NamePattern[]): Uint8Array {
    for (const _ of this.prepare());
    const folded = foldText(this.#separator);
    const fitting = new Uint8Array(this.#paths.length);
    for (let at = 0; at < fitting.length; at += 1) {
      const path = this.#folded[at] ?? '';
      if (patterns.some((pattern) => fitsFolder(path, pattern, folded))) fitting[at] = 1;
    }
    return fitting;
  }

  /** @param parent '' for the root */
  children(parent: string): { folders: Folder[]; more: number } {
    const top = parent === '' ? -1 : this.#numbers.get(parent);
    if (top === undefined) return { folders: [], more: 0 };
    const children: Folder[] = [];
    const withChildren = new Set<number>();
    for (const [at, path] of this.#paths.entries()) {
      const count = this.#counts[at] ?? 0;
      if (count === 0) continue;
      const above = this.#parents[at] ?? -1;
      withChildren.add(above);
      if (above === top) children.push({ path, name: this.#name(path, parent), count, hasChildren: false });
    }
    const byName =
      children.length > collatedMax
        ? (a: Folder, b: Folder) => (a.name < b.name ? -1 : 1)
        : (a: Folder, b: Folder) => names.compare(a.name, b.name) || (a.path < b.path ? -1 : 1);
    const folders = children.sort(byName).slice(0, foldersMax);
    return {
      folders: folders.map((folder) => ({
        ...folder,
        hasChildren: withChildren.has(this.#numbers.get(folder.path) ?? -1),
      })),
      more: children.length - folders.length,
    };
  }

  hasFolders(): boolean {
    return this.#counts.some((count) => count > 0);
  }

  #number(path: string): number {
    if (path === '') return -1;
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    const parent = this.#number(folderAbove(path, this.#separator));
    // A copy: a slice would keep the whole identifier in memory.
    const own = Buffer.from(path).toString();
    const number = this.#paths.push(own) - 1;
    this.#numbers.set(own, number);
    this.#parents.push(parent);
    this.#counts.push(0);
    return number;
  }

  /** The path relative to its parent, without separators. */
  #name(path: string, parent: string): string {
    let start = parent.length;
    while (path.startsWith(this.#separator, start)) start += this.#separator.length;
    return path.slice(start);
  }
}

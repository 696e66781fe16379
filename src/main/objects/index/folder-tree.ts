import { folderAbove } from '../../../shared/domain/folder.ts';
import { fitsFolder, foldText, type NamePattern } from '../../../shared/domain/search.ts';
import type { Folder, FolderRow, ObjectQuery } from '../../../shared/domain/object.ts';
import { byName } from './names.ts';

/** Maximum number of folders in one answer. */
const foldersMax = 1000;
const foldedAtOnce = 4096;

/**
 * The folders of one service, each with the number and size of the objects below it at any depth. Listed are those that have objects, are
 * kept without any, or contain one that is.
 */
export class FolderTree {
  readonly #separator: string;
  readonly #numbers = new Map<string, number>();
  readonly #paths: string[] = [];
  /** A parent's number is always lower than its children's. */
  #parents = new Int32Array(1024);
  #counts = new Int32Array(1024);
  #bytes = new Float64Array(1024);
  /** By folder: how many folders without objects are kept, itself included, at any depth. */
  #kept = new Int32Array(1024);
  /** By folder: the number of its direct subfolders that are listed. */
  #listedInside = new Int32Array(1024);
  /** By parent, -1 for the root: its listed folders, by name. Dropped when one is added or goes. */
  readonly #listed = new Map<number, number[]>();
  /**
   * Paths normalised for `fitsFolder`, by folder number; the next search adds those that are missing. null: equal to the
   * path itself, as for most folders, which is not stored twice.
   */
  readonly #folded: (string | null)[] = [];

  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Number of the folder that contains the identifier; -1: none. */
  place(identifier: string): number {
    return this.#number(folderAbove(identifier, this.#separator));
  }

  /** Adds `change` and `bytes` (both may be negative) to the count and size of a folder. */
  tally(folder: number, change: number, bytes: number): void {
    for (let at = folder; at >= 0; at = this.#parents[at] ?? -1) {
      const wasListed = this.#isListed(at);
      this.#counts[at] = (this.#counts[at] ?? 0) + change;
      this.#bytes[at] = (this.#bytes[at] ?? 0) + bytes;
      this.#relist(at, wasListed);
    }
  }

  /** Keeps a folder without objects listed, or no longer. Call in turn: it is counted. */
  keep(path: string, isKept: boolean): void {
    for (let at = this.#number(path); at >= 0; at = this.#parents[at] ?? -1) {
      const wasListed = this.#isListed(at);
      this.#kept[at] = (this.#kept[at] ?? 0) + (isKept ? 1 : -1);
      this.#relist(at, wasListed);
    }
  }

  /** Number of objects in a folder, at any depth; null: it isn't listed. */
  countIn(path: string): number | null {
    const at = this.#numbers.get(path);
    return at === undefined || !this.#isListed(at) ? null : (this.#counts[at] ?? 0);
  }

  #isListed(at: number): boolean {
    return (this.#counts[at] ?? 0) > 0 || (this.#kept[at] ?? 0) > 0;
  }

  #relist(at: number, wasListed: boolean): void {
    const isListed = this.#isListed(at);
    if (isListed === wasListed) return;
    const above = this.#parents[at] ?? -1;
    if (above >= 0) this.#listedInside[above] = (this.#listedInside[above] ?? 0) + (isListed ? 1 : -1);
    this.#listed.delete(above);
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

  /** Normalises the paths for `fitting`, in steps of a few milliseconds. */
  *prepare(): Generator<void> {
    for (let at = this.#folded.length; at < this.#paths.length; at = this.#folded.length) {
      const path = this.#between(at);
      const folded = foldText(path);
      this.#folded.push(folded === path ? null : folded);
      if (at % foldedAtOnce === 0) yield;
    }
  }

  /** By folder number: 1 if the folder matches one of the patterns. */
  fitting(patterns: readonly NamePattern[]): Uint8Array {
    for (const _ of this.prepare());
    const folded = foldText(this.#separator);
    const fitting = new Uint8Array(this.#paths.length);
    for (let at = 0; at < fitting.length; at += 1) {
      const path = this.#folded[at] ?? this.#between(at);
      if (patterns.some((pattern) => fitsFolder(path, pattern, folded))) fitting[at] = 1;
    }
    return fitting;
  }

  /** @param parent '' for the root */
  children(parent: string): { folders: Folder[]; more: number } {
    const listed = this.#listedIn(parent);
    const folders = listed.slice(0, foldersMax).map((at) => {
      const path = this.#paths[at] ?? '';
      const [count = 0, inside = 0] = [this.#counts[at], this.#listedInside[at]];
      return { path, name: this.#name(path, parent), count, hasChildren: inside > 0 };
    });
    return { folders, more: listed.length - folders.length };
  }

  /** Number of folders, including those that are not listed. */
  get size(): number {
    return this.#paths.length;
  }

  /** Gives each folder the maximum of its own value and those below it. @param values by folder number; changed in place */
  raise(values: Float64Array): void {
    for (let at = values.length - 1; at >= 0; at -= 1) {
      const parent = this.#parents[at] ?? -1;
      if (parent >= 0) values[parent] = Math.max(values[parent] ?? -1, values[at] ?? -1);
    }
  }

  /** @param at the folder's number, from `order`. @param newest see `newestInFolders` */
  row(at: number, parent: string, newest: Float64Array): FolderRow {
    const path = this.#paths[at] ?? '';
    const [count = 0, totalBytes = 0] = [this.#counts[at], this.#bytes[at]];
    const atMs = newest[at] ?? -1;
    const newestAtMs = atMs < 0 ? null : atMs;
    return { path, name: this.#name(path, parent), count, totalBytes, newestAtMs };
  }

  /**
   * Numbers of the folders in a folder, in the order of its objects: by name for columns in which folders have no value.
   * @param parent '' for the root @param newest see `newestInFolders`
   */
  order(parent: string, { column, direction }: ObjectQuery['sort'], newest: Float64Array): readonly number[] {
    const byName = this.#listedIn(parent);
    if (column === 'identifier') return direction === 'ascending' ? byName : byName.toReversed();
    if (column !== 'size' && column !== 'stored') return byName;
    const keys = column === 'size' ? this.#bytes : newest;
    const sign = direction === 'ascending' ? 1 : -1;
    return byName.toSorted((a, b) => sign * ((keys[a] ?? 0) - (keys[b] ?? 0)));
  }

  /** The name of a folder from `order`. */
  nameIn(parent: string, at: number): string {
    return this.#name(this.#paths[at] ?? '', parent);
  }

  /** The number of a folder; null: no such folder. */
  numberOf(path: string): number | null {
    return this.#numbers.get(path) ?? null;
  }

  hasFolders(): boolean {
    return this.#listedIn('').length > 0;
  }

  /** Numbers of the listed folders in a folder, by name. */
  #listedIn(parent: string): readonly number[] {
    const top = parent === '' ? -1 : this.#numbers.get(parent);
    if (top === undefined) return [];
    const known = this.#listed.get(top);
    if (known !== undefined) return known;
    const found: { at: number; name: string }[] = [];
    for (const [at, path] of this.#paths.entries()) {
      if (this.#parents[at] !== top || !this.#isListed(at)) continue;
      found.push({ at, name: this.#name(path, parent) });
    }
    const listed = found.sort(byName(found.length)).map(({ at }) => at);
    this.#listed.set(top, listed);
    return listed;
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
    if (number === this.#parents.length) this.#grow();
    this.#parents[number] = parent;
    return number;
  }

  #grow(): void {
    const longer = <T extends Int32Array | Float64Array>(column: T, into: T): T => {
      into.set(column);
      return into;
    };
    const size = this.#parents.length * 2;
    this.#parents = longer(this.#parents, new Int32Array(size));
    this.#counts = longer(this.#counts, new Int32Array(size));
    this.#bytes = longer(this.#bytes, new Float64Array(size));
    this.#kept = longer(this.#kept, new Int32Array(size));
    this.#listedInside = longer(this.#listedInside, new Int32Array(size));
  }

  /** A path with the separator on both sides. */
  #between(at: number): string {
    return this.#separator + (this.#paths[at] ?? '') + this.#separator;
  }

  /** The path relative to its parent, without separators. */
  #name(path: string, parent: string): string {
    let start = parent.length;
    while (path.startsWith(this.#separator, start)) start += this.#separator.length;
    return path.slice(start);
  }
}

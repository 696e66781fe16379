import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { opendir } from '../../../../src/main/local-files/fs.ts';
import { folderFaults, requireReplaced } from '../folder-faults.ts';
import type { VirtualClock } from '../virtual-clock.ts';

/**
 * How a folder blinks. `vanishes`: with everything in it; `empties`: what is in it is away; `unmounts`: as that, and it is on
 * another device than before; `refuses`: it cannot be read.
 */
export type Blink = 'vanishes' | 'empties' | 'unmounts' | 'refuses';

interface Absence {
  readonly fromMs: number;
  untilMs: number;
}

/** A folder that a person synchronises, whose files come and go. Times are true times. */
export class BlinkingFolder {
  readonly path: string;
  /** By folder below, '' for the whole. */
  readonly #away = new Map<string, Blink>();
  /** Files that the person has, by path below, with their present bytes. */
  readonly #texts = new Map<string, string>();
  /** From when the person had no such file, and until it was written. Blinks are no removals. */
  readonly #removals = new Map<string, Absence[]>();
  readonly #hidden: string;
  readonly #clock: VirtualClock;
  readonly #disk: string;
  #lastMs = 0;

  /** @param disk the folder below that another device is mounted at */
  constructor(path: string, clock: VirtualClock, disk: string) {
    requireReplaced(opendir);
    this.path = path;
    this.#hidden = `${path}-hidden`;
    this.#clock = clock;
    for (const folder of [join(path, disk), this.#hidden]) mkdirSync(folder, { recursive: true });
    this.#disk = join(path, disk);
    folderFaults.set(this.#disk, 'anotherDevice');
  }

  textOf(below: string): string | undefined {
    return this.#texts.get(below);
  }

  get files(): string[] {
    return [...this.#texts.keys()];
  }

  #isAway(below: string): boolean {
    return [...this.#away.keys()].some((folder) => folder === '' || below.startsWith(`${folder}/`));
  }

  /** Writes a file, unless its folder is away. */
  write(below: string, text: string): void {
    if (this.#isAway(below)) return;
    const path = join(this.path, below);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    // Never the same for two states: a file that changes within a tick of its clock is not what these worlds are about.
    this.#lastMs = Math.max(this.#lastMs + 1, this.#clock.nowMs());
    utimesSync(path, this.#lastMs / 1000, this.#lastMs / 1000);
    this.#texts.set(below, text);
    const last = this.#removalsOf(below).at(-1);
    if (last) last.untilMs = Math.min(last.untilMs, this.#clock.trueMs());
  }

  /** Removes a file, unless its folder is away. */
  remove(below: string): void {
    if (this.#isAway(below) || !this.#texts.delete(below)) return;
    rmSync(join(this.path, below));
    this.#removalsOf(below).push({ fromMs: this.#clock.trueMs(), untilMs: Infinity });
  }

  #removalsOf(below: string): Absence[] {
    const removals = this.#removals.get(below) ?? [{ fromMs: -Infinity, untilMs: Infinity }];
    this.#removals.set(below, removals);
    return removals;
  }

  /** Whether the person had no such file, for at least this long, until no longer ago than that. */
  wasGone(below: string, forMs: number, agoMs: number): boolean {
    const nowMs = this.#clock.trueMs();
    return this.#removalsOf(below).some(
      ({ fromMs, untilMs }) => Math.min(untilMs, nowMs) - fromMs >= forMs && nowMs - untilMs <= agoMs,
    );
  }

  /** @param below the folder; '' for the whole */
  blink(below: string, how: Blink): void {
    if (this.#away.has(below) || this.#isAway(below) || this.#away.size > 0) return;
    const path = join(this.path, below);
    if (!existsSync(path)) return;
    this.#away.set(below, how);
    if (how === 'refuses') {
      folderFaults.set(path, 'unreadable');
      return;
    }
    renameSync(path, join(this.#hidden, 'away'));
    if (how === 'unmounts') folderFaults.delete(path);
    if (how !== 'vanishes') mkdirSync(path);
  }

  /** Everything is there again. */
  mend(): void {
    for (const [below, how] of this.#away) {
      const path = join(this.path, below);
      if (how === 'refuses') folderFaults.delete(path);
      else {
        rmSync(path, { recursive: true, force: true });
        renameSync(join(this.#hidden, 'away'), path);
      }
    }
    folderFaults.set(this.#disk, 'anotherDevice');
    this.#away.clear();
  }

  /** Forgets its faults, before its files are removed. */
  leave(): void {
    for (const path of folderFaults.keys()) if (path.startsWith(this.path)) folderFaults.delete(path);
  }
}

import type { FolderPlace, FolderReading } from '../../main/upload-plan/read-files.ts';
import type { Matches } from '../../shared/domain/pattern.ts';

/** A reading of the folder, with when it began and ended by the monotonic clock. */
export interface Scan extends FolderReading {
  readonly begunMs: number;
  readonly endedMs: number;
}

/**
 * gone: missing in enough scans over enough time. missing: not yet for that long. Otherwise the scans prove nothing, because of
 * `folder`, the uppermost that holds no wanted file (it may be an unmounted disk's, or the whole of it is away), could not be
 * listed to its end, or is on another disk than before.
 */
export type Verdict =
  | 'present'
  | 'missing'
  | 'gone'
  | { readonly why: 'empty' | 'unread' | 'otherDisk'; readonly folder: string };
export type Unproven = Exclude<Verdict, string>;

interface Since {
  readonly scan: number;
  readonly endedMs: number;
}

/**
 * Decides whether files have gone for good: programs save by removing a file and writing it anew, disks are unmounted, and
 * folders of network drives are listed in part. A scan in which the file is there, or which proves nothing, starts anew.
 */
export class Absences {
  readonly #settleMs: number;
  readonly #minScans: number;
  readonly #isWanted: Matches;
  #scans = 0;
  #last: Proof | null = null;
  /** Folders that have been proven in every scan since. */
  #folders = new Map<string, Since>();
  /** Files that were there, and have been missing since. Those that are gone are left to their folder. */
  readonly #missing = new Map<string, Since>();
  /** Where each folder was when it was first seen. */
  readonly #places = new Map<string, FolderPlace>();
  /** Of the last scan that had to confirm something: many files are judged by one. */
  #again: Proof | null = null;

  /**
   * @param settleMs a file must be missing for this long
   * @param minScans and in this many scans: in three, for twice the interval between them
   * @param isWanted an unwanted file says nothing of the folder it is in
   */
  constructor({ settleMs, minScans, isWanted }: { settleMs: number; minScans: number; isWanted: Matches }) {
    this.#settleMs = settleMs;
    this.#minScans = minScans;
    this.#isWanted = isWanted;
  }

  /** Returns whether a file that was there before, or the folder as a whole, has now been looked at for long enough. */
  add(scan: Scan): boolean {
    const before = this.#last;
    const wasWhole = this.#isDue('', before);
    const since = { scan: (this.#scans += 1), endedMs: scan.endedMs };
    for (const [folder, place] of scan.folders)
      if (!this.#places.has(folder)) this.#places.set(folder, place);
    const now = this.#prove(scan);
    this.#last = now;
    this.#folders = new Map([...now.proven].map((folder) => [folder, this.#folders.get(folder) ?? since]));
    for (const path of before?.scan.files.keys() ?? [])
      if (!scan.files.has(path)) this.#missing.set(path, since);
    for (const path of scan.files.keys()) this.#missing.delete(path);
    let isDue = this.#isDue('', now) && !wasWhole;
    for (const [path, missing] of this.#missing) {
      if (!this.#isOver(missing, scan)) continue;
      isDue = true;
      this.#missing.delete(path);
    }
    this.#forgetPlaces(scan);
    return isDue;
  }

  /** @param again a later scan that has to confirm that the file is gone, and counts for nothing else */
  judge(path: string, again?: Scan): Verdict {
    const last = this.#last;
    const proofs = [...(last ? [last] : []), ...(again ? [this.#proofOf(again)] : [])];
    if (proofs.some(({ scan }) => scan.files.has(path))) return 'present';
    const trail = trailOf(path);
    for (const proof of proofs)
      for (const folder of trail) {
        const why = proof.whyNot(folder);
        if (why !== null) return { why, folder };
      }
    if (last === null) return 'missing';
    const all = [this.#missing.get(path), ...trail.map((folder) => this.#folders.get(folder))];
    return all.every((since) => since === undefined || this.#isOver(since, last.scan)) ? 'gone' : 'missing';
  }

  #isDue(folder: string, proof: Proof | null): boolean {
    const since = this.#folders.get(folder);
    return proof !== null && since !== undefined && this.#isOver(since, proof.scan);
  }

  #isOver({ scan, endedMs }: Since, { begunMs }: Scan): boolean {
    return this.#scans - scan >= this.#minScans - 1 && begunMs - endedMs >= this.#settleMs;
  }

  #proofOf(scan: Scan): Proof {
    if (this.#again?.scan !== scan) this.#again = this.#prove(scan);
    return this.#again;
  }

  #prove(scan: Scan): Proof {
    const withFile = new Set<string>();
    for (const [path, trouble] of scan.files)
      if (trouble === null && this.#isWanted(path)) for (const folder of trailOf(path)) withFile.add(folder);
    const whyNot = (folder: string): Unproven['why'] | null => {
      const place = scan.folders.get(folder);
      const before = this.#places.get(folder);
      if (place !== undefined && before !== undefined && !isSamePlace(before, place)) return 'otherDisk';
      if (scan.unread.has(folder)) return 'unread';
      return place !== undefined && withFile.has(folder) ? null : 'empty';
    };
    return { scan, whyNot, proven: [...scan.folders.keys()].filter((folder) => whyNot(folder) === null) };
  }

  /** Of folders that come and go on the disk of the top nothing needs to be remembered. */
  #forgetPlaces({ folders }: Scan): void {
    const top = this.#places.get('')?.device;
    for (const [folder, { device }] of this.#places)
      if (folder !== '' && device === top && !folders.has(folder)) this.#places.delete(folder);
  }
}

interface Proof {
  readonly scan: Scan;
  readonly proven: readonly string[];
  /** null: the scan proves what is missing in this folder. */
  readonly whyNot: (folder: string) => Unproven['why'] | null;
}

/** The folders that a path is in, from the top, ''. */
function trailOf(path: string): string[] {
  const trail = [''];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) trail.push(path.slice(0, at));
  return trail;
}

/** A folder made at the same moment is the same, on a drive that got another number when it was mounted again. */
function isSamePlace(before: FolderPlace, now: FolderPlace): boolean {
  return before.device === now.device || (now.bornMs > 0 && before.bornMs === now.bornMs);
}

import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SimulatedService } from '../simulated-service.ts';
import { digestAt, listAt, versionAt } from './lists.ts';
import type { Person } from './person.ts';
import type { Wishes } from './wishes.ts';

/** Reports a broken invariant; repeats are ignored. */
export type Blame = (fault: string) => void;

export interface Checked {
  readonly service: SimulatedService;
  readonly wishes: Wishes;
  readonly blame: Blame;
  /** The true time. */
  readonly nowMs: () => number;
}

/** Who else deleted this part; null: only this installation did. */
export function whoTookPart({ service, wishes }: Checked, partId: string, list: string): string | null {
  const last = service.versions.get(partId)?.at(-1);
  if (last === undefined) return null;
  if (last.removedBy === 'stranger' || last.by === 'stranger') return 'a stranger';
  if (wishes.isChosen(service, partId) || wishes.matches(partId)) return 'a person';
  return wishes.isDeletedWith(service, partId, list) ? 'who deleted the list' : null;
}

/** Checks that each manifest we stored, and that an installation lists as stored, names parts that exist with the right bytes. */
export async function checkLists(looked: Checked, persons: readonly Person[]): Promise<void> {
  const { service, blame } = looked;
  service.settle();
  const all = [...service.versions];
  const theirs = new Set(
    all.flatMap(([, stored]) => stored.flatMap(({ by, text }) => (by === 'stranger' ? [text] : []))),
  );
  for (const [identifier] of all) {
    const { text = '', by } = versionAt(service, identifier) ?? {};
    const list = by === 'us' && !theirs.has(text) ? listAt(identifier, text) : null;
    for (const { id, size, sha256 } of list?.parts ?? []) {
      const bytes = service.peek(id);
      const isWhole = bytes?.length === size && hash('sha256', bytes) === sha256;
      if (isWhole || whoTookPart(looked, id, identifier) !== null) continue;
      if (!(await isShown(persons, identifier))) continue;
      const { removedBy } = service.versions.get(id)?.at(-1) ?? {};
      blame(
        `I1: the list at ${identifier} names ${id}, which ${bytes ? 'differs' : `is gone by ${removedBy}`}`,
      );
    }
  }
}

async function isShown(persons: readonly Person[], identifier: string): Promise<boolean> {
  for (const person of persons)
    for (const row of await person.rows())
      if (row.identifier === identifier && row.state === 'stored') return true;
  return false;
}

/**
 * Checks that each wish of a person leads to at most one DELETE, unless a GET had just shown what it would delete. With two services
 * in one installation it is unknown which of them has seen it.
 */
export function checkDeletions({ service, wishes, blame }: Checked, persons: readonly Person[]): void {
  const single = new Set(persons.flatMap(({ who, serviceIds }) => (serviceIds.length === 1 ? [who] : [])));
  const blind = service.deletions.filter(
    ({ identifier, isSeen, who }) => !isSeen && !identifier.includes('~') && single.has(who),
  );
  const counts = Map.groupBy(blind, ({ who, identifier }) => JSON.stringify([who, identifier]));
  for (const [key, { length: sent }] of counts) {
    const [who = '', identifier = ''] = JSON.parse(key) as string[];
    const wished = wishes.deletionsOf(who, identifier);
    if (sent > wished) blame(`I2: ${sent} deletions of ${identifier} by ${who} for ${wished} words`);
  }
}

/** Checks that what is reported as stored was stored, with the bytes of the file. */
export async function checkDone({ service, blame }: Checked, person: Person): Promise<void> {
  const all = [...(await person.transfers()), ...(await person.jobs())];
  for (const { id, identifier, state, outcome } of all) {
    const text = person.texts.get(id);
    if (text === undefined || state !== 'done' || outcome?.kind !== 'stored') continue;
    // The limit in docs/transfers.md, What proves that an upload was stored.
    if (outcome.verifiedBy === 'length' && service.lostOverAsLong.has(identifier)) continue;
    const sha256 = hash('sha256', text);
    const stored = service.versions.get(identifier) ?? [];
    if (!stored.some((version) => digestAt(identifier, version.text) === sha256))
      blame(`I3: ${identifier} is Done for ${person.who}, and its bytes were never there`);
  }
}

/** Checks that each published file holds what was stored under an identifier of that name. */
export function checkDownloads({ service, blame }: Checked, person: Person): void {
  const folder = join(person.folder, 'downloads');
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.part')) continue;
    const sha256 = hash('sha256', readFileSync(join(folder, name)));
    const all = [...service.versions].flatMap(([identifier, stored]) =>
      stored.flatMap(({ text }) => [digestAt(identifier, text), hash('sha256', text)]),
    );
    if (!all.includes(sha256)) blame(`I3: ${name} of ${person.who} holds what was never stored`);
  }
}

interface VaultEntry {
  readonly file: string;
  readonly identifier: string;
  readonly sha256: string;
}

const keptMs = 30 * 24 * 3_600_000;

/**
 * Watches the folders of one installation: undo copies stay for 30 days of true time, unless the person cleared them or the
 * same bytes are stored again; downloads stay.
 */
export function createFolderWatch({ service, blame, nowMs }: Checked, person: Person) {
  const seen = new Map<string, VaultEntry & { readonly sinceMs: number }>();
  /** Those that a transfer still needs go when it is done. */
  const cleared = new Set<string>();
  const downloads = new Set<string>();
  const list = (name: string) => {
    const folder = join(person.folder, name);
    // At once: waking a thread for it takes ten times as long.
    const paths = existsSync(folder) ? readdirSync(folder, { encoding: 'utf8', recursive: true }) : [];
    return new Set(paths.map((each) => each.replace(/.*[\\/]/, '')));
  };

  /** Whether the bytes were stored again after the undo copy was made, as by an undo. */
  function isBack(kept: VaultEntry & { sinceMs: number }): boolean {
    const stored = service.versions.get(kept.identifier) ?? [];
    return stored.some(({ text, fromMs }) => fromMs > kept.sinceMs && hash('sha256', text) === kept.sha256);
  }

  return {
    /** Called when the person clears the undo copies. */
    forget() {
      for (const file of seen.keys()) cleared.add(file);
      seen.clear();
    },
    look(): void {
      const files = list('kept');
      for (const kept of seen.values()) {
        if (files.has(kept.file)) continue;
        seen.delete(kept.file);
        const isOver = nowMs() - kept.sinceMs >= keptMs;
        const there = versionAt(service, kept.identifier)?.text;
        const isThere = there !== undefined && hash('sha256', there) === kept.sha256;
        // One of two copies with the same bytes is enough.
        const isTwice = undoCopiesOf(person, 'true').some(
          ({ file, identifier, sha256 }) =>
            files.has(file) && identifier === kept.identifier && sha256 === kept.sha256,
        );
        if (isOver || isThere || isTwice || isBack(kept)) continue;
        blame(`I4: what ${person.who} kept of ${kept.identifier} is gone`);
      }
      const names = list('downloads');
      for (const name of downloads)
        if (!names.has(name) && downloads.delete(name))
          blame(`I4: the download ${name} of ${person.who} is gone`);
      for (const name of names) if (!name.endsWith('.part')) downloads.add(name);
      for (const kept of undoCopiesOf(person))
        if (files.has(kept.file) && !seen.has(kept.file) && !cleared.has(kept.file))
          seen.set(kept.file, { ...kept, sinceMs: nowMs() });
    },
  };
}

export type FolderWatch = ReturnType<typeof createFolderWatch>;

/** @param condition SQL filter; default: copies not marked for removal */
function undoCopiesOf({ db }: Person, condition = '"transfer" IS NULL AND role < 2'): VaultEntry[] {
  const rows = db
    .prepare(`SELECT file, identifier, sha256 FROM kept WHERE ${condition} AND sha256 IS NOT NULL`)
    .all();
  return rows.map(({ file, identifier, sha256 }) => ({
    file: String(file),
    identifier: String(identifier),
    sha256: String(sha256),
  }));
}

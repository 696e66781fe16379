import type { ListedObject } from '../../shared/contract.ts';
import { isUnverified } from '../../shared/domain/unverified.ts';
import type { Service } from '../../shared/domain/service.ts';
import { versionOf } from '../../shared/domain/versions.ts';
import type { Matches } from '../../shared/domain/pattern.ts';
import type { Absences, Scan, Unproven } from './absences.ts';
import { isWithoutFile, pathBelow } from './compare.ts';

export interface SurplusOptions {
  readonly naming: Pick<Service, 'separator' | 'versionMark'>;
  /** The folder of the list, '' for all. */
  readonly to: string;
  readonly absences: Absences;
  /** Of `--include` and `--exclude`; takes paths below the folder, with `/`. */
  readonly isWanted: Matches;
  /** Also delete objects that have other versions. */
  readonly allVersions: boolean;
}

/** The objects that have no file, by what happens to them. */
export interface Surplus {
  /** To be deleted. */
  readonly gone: readonly ListedObject[];
  /** Their files are missing, but not for long enough. */
  readonly missing: readonly ListedObject[];
  /** Not known to be stored by this person. */
  readonly notOwn: number;
  /** Left with their other versions: once the newest was deleted, the one before it would count as the object. */
  readonly versions: number;
  /** Counts of objects about which a folder proves nothing, by the folder's path. */
  readonly unproven: ReadonlyMap<string, { readonly why: Unproven['why']; readonly count: number }>;
  /** Objects below the folder that may be stored and are not left out. */
  readonly total: number;
}

/** @param again a scan that has to confirm that the files are gone */
export function findSurplus(
  rows: readonly ListedObject[],
  { naming, to, absences, isWanted, allVersions }: SurplusOptions,
  again?: Scan,
): Surplus {
  const { separator, versionMark } = naming;
  const baseOf = ({ identifier }: ListedObject) => versionOf(identifier, separator, versionMark).base;
  const families = new Map<string, number>();
  for (const row of rows)
    if (row.state !== 'gone' && row.state !== 'failed')
      families.set(baseOf(row), (families.get(baseOf(row)) ?? 0) + 1);
  const mayGo = rows.filter((row) => isWithoutFile(row, new Set(), naming, to, isWanted));
  const [gone, missing]: [ListedObject[], ListedObject[]] = [[], []];
  const unproven = new Map<string, { why: Unproven['why']; count: number }>();
  let [notOwn, versions] = [0, 0];
  for (const row of mayGo) {
    const verdicts = [row.identifier, baseOf(row)].map((each) =>
      absences.judge(pathBelow(each, to, separator), again),
    );
    if (verdicts.includes('present')) continue;
    const doubt = verdicts.find((verdict) => typeof verdict !== 'string');
    if (doubt !== undefined) {
      const { count } = unproven.get(doubt.folder) ?? { count: 0 };
      unproven.set(doubt.folder, { why: doubt.why, count: count + 1 });
    }
    // Never because of an unverified fact: an imported list may contain other people's objects.
    else if (row.isOwnStored !== true || isUnverified(row, 'presence')) notOwn += 1;
    else if (!allVersions && (families.get(baseOf(row)) ?? 0) > 1) versions += 1;
    else (verdicts.includes('missing') ? missing : gone).push(row);
  }
  return { gone, missing, notOwn, versions, unproven, total: mayGo.length };
}

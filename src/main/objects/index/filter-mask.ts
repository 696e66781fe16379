import { fileKinds } from '../../../shared/domain/file-kind.ts';
import { levelOf, statesOfAttention, type ObjectQuery } from '../../../shared/domain/object.ts';
import {
  fitsName,
  fitsPerson,
  foldText,
  myself,
  type NamePattern,
  type SearchFilter,
} from '../../../shared/domain/search.ts';
import { goneCode, kindCode, states } from '../rows.ts';
import { me, nobody, onItsWayMs, stateBits, type ObjectIndex } from './object-index.ts';

export type Filter = Omit<ObjectQuery, 'serviceId' | 'sort' | 'allVersions'>;

/**
 * By slot: 1 if it matches everything but the search words.
 * @param ids in *Needs attention*: rows whose transfer waits for the person's answer; in *Recent*: the last used rows
 */
export function maskOf(
  index: ObjectIndex,
  filter: Filter,
  search: SearchFilter,
  ids: readonly number[],
): Uint8Array {
  const { kind, place } = filter;
  const { without } = search;
  const wanted = new Uint8Array(256);
  const wantedAsking = new Uint8Array(256);
  for (const [code, state] of states.entries()) {
    const inSearch = search.states.length === 0 || search.states.includes(state);
    if (!inSearch || without.states.includes(state)) continue;
    const mark = kindCode(kind) * stateBits + code;
    const inPlace = place.kind !== 'attention' || statesOfAttention.includes(state);
    wanted[mark] = inPlace && (place.kind === 'gone') === (code === goneCode) ? 1 : 0;
    wantedAsking[mark] = code === goneCode ? 0 : 1;
  }
  const mask = new Uint8Array(index.count);
  for (let slot = 0; slot < mask.length; slot += 1) mask[slot] = wanted[index.marks[slot] ?? 255] ?? 0;
  if (place.kind === 'attention') {
    for (const id of ids) {
      const slot = index.slotOf(id);
      if (slot >= 0 && wantedAsking[index.marks[slot] ?? 255] === 1) mask[slot] = 1;
    }
  }
  const keep = (test: (slot: number) => boolean) => {
    for (let slot = 0; slot < mask.length; slot += 1) if (mask[slot] === 1 && !test(slot)) mask[slot] = 0;
  };
  const { folders, classes } = index;

  if (place.kind === 'recent') {
    const used = new Uint8Array(index.count);
    for (const id of ids) used[index.slotOf(id)] = 1;
    keep((slot) => used[slot] === 1);
  }
  if (place.kind === 'unfiled') keep((slot) => folders[slot] === -1);
  const level = levelOf(filter);
  if (level !== null) {
    const number = level === '' ? -1 : index.tree.numberOf(level);
    keep((slot) => folders[slot] === number);
  } else if (place.kind === 'folder' && place.path !== '') {
    const inside = index.tree.within(place.path);
    keep((slot) => inside?.[folders[slot] ?? -1] === 1);
  }
  if (place.kind === 'classification') {
    const code = index.classifications.indexOf(place.value);
    keep((slot) => classes[slot] === code);
  }
  for (const [names, isWanted] of [
    [search.classes, true],
    [without.classes, false],
  ] as const) {
    if (names.length === 0) continue;
    const codes = index.classifications.map((value) => {
      const folded = foldText(value ?? '');
      return names.some((name) => fitsName(folded, name));
    });
    keep((slot) => codes[classes[slot] ?? -1] === isWanted);
  }
  for (const [patterns, isWanted] of [
    [search.people, true],
    [without.people, false],
  ] as const) {
    if (patterns.length === 0) continue;
    const fits = index.names.map((name, code) => patterns.some((pattern) => matches(pattern, code, name)));
    keep((slot) => fits[index.people[slot] ?? nobody] === isWanted);
  }
  if (search.shared.size < 2) keep((slot) => search.shared.has(index.shared[slot] === 1));
  for (const [patterns, isWanted] of [
    [search.folders, true],
    [without.folders, false],
  ] as const) {
    if (patterns.length === 0) continue;
    const inside = index.tree.fitting(patterns.filter((pattern) => !isUnfiled(pattern)));
    const unfiled = patterns.some(isUnfiled);
    keep((slot) => (folders[slot] === -1 ? unfiled : inside[folders[slot] ?? -1] === 1) === isWanted);
  }
  if (search.fileKinds.length > 0 || without.fileKinds.length > 0) {
    const fits = fileKinds.map(
      (fileKind) =>
        (search.fileKinds.length === 0 || search.fileKinds.includes(fileKind)) &&
        !without.fileKinds.includes(fileKind),
    );
    keep((slot) => fits[index.fileKinds[slot] ?? -1] === true);
  }
  const { minBytes, maxBytes, storedFromMs, storedBeforeMs } = search;
  if (minBytes !== null || maxBytes !== null) {
    const [min, max] = [Math.max(minBytes ?? 0, 0), maxBytes ?? Infinity];
    keep((slot) => within(index.lengths[slot], min, max));
  }
  if (storedFromMs !== null || storedBeforeMs !== null) {
    const [min, max] = [Math.max(storedFromMs ?? 0, 0), (storedBeforeMs ?? onItsWayMs) - 1];
    keep((slot) => within(index.storedAt[slot], min, max));
  }
  return mask;
}

/** `by:""` matches rows without a known person. */
function matches(pattern: NamePattern, code: number, name: string): boolean {
  const [first = ''] = pattern.pattern;
  if (code === nobody) return pattern.exact && first === '';
  return (
    (code === me && first === myself && !pattern.exact) ||
    (name !== '' && fitsPerson(foldText(name), pattern))
  );
}

/** `folder:""` */
function isUnfiled({ pattern, exact }: NamePattern): boolean {
  return exact && pattern[0] === '';
}

function within(value = -1, min: number, max: number): boolean {
  return value >= min && value <= max;
}

import { claims } from '../../../shared/domain/claims.ts';
import type { SelectionMix } from '../../../shared/contract.ts';
import { states } from '../rows.ts';
import { compareClassifications, onItsWayMs, stateBits, type ObjectIndex } from './object-index.ts';

const classificationsTold = 12;

export const noMix: SelectionMix = {
  count: 0,
  totalBytes: 0,
  unknownLengths: 0,
  unseen: 0,
  states: [],
  classifications: [],
  moreClassifications: 0,
  stored: null,
};

/** Summarises these rows in one pass over the columns; fastest in slot order. */
export function mixOf(index: ObjectIndex, slots: Int32Array): SelectionMix {
  const { lengths, marks, classes, storedAt, claims: claimed } = index;
  const ofState = new Float64Array(stateBits);
  const ofClass = new Float64Array(index.classifications.length);
  let totalBytes = 0;
  let unknownLengths = 0;
  let unseen = 0;
  let fromMs = Infinity;
  let toMs = -Infinity;
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    const state = (marks[slot] ?? 0) % stateBits;
    ofState[state] = (ofState[state] ?? 0) + 1;
    const code = classes[slot] ?? 0;
    ofClass[code] = (ofClass[code] ?? 0) + 1;
    const length = lengths[slot] ?? -1;
    if (((claimed[slot] ?? 0) & claims.presence) !== 0) unseen += 1;
    if (length < 0) unknownLengths += 1;
    else totalBytes += length;
    const atMs = storedAt[slot] ?? -1;
    if (atMs < 0 || atMs === onItsWayMs) continue;
    if (atMs < fromMs) fromMs = atMs;
    if (atMs > toMs) toMs = atMs;
  }
  const classifications = index.classifications
    .map((value, code) => ({ value, count: ofClass[code] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || compareClassifications(a.value, b.value));
  return {
    count: slots.length,
    totalBytes,
    unknownLengths,
    unseen,
    states: states
      .map((state, code) => ({ state, count: ofState[code] ?? 0 }))
      .filter(({ count }) => count > 0),
    classifications: classifications.slice(0, classificationsTold),
    moreClassifications: Math.max(0, classifications.length - classificationsTold),
    stored: fromMs <= toMs ? { fromMs, toMs } : null,
  };
}

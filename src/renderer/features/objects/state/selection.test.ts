import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectQuerySchema, selectionSchema } from '../../../../shared/domain/object.ts';
import {
  addIds,
  countSelected,
  everythingSelected,
  isSelected,
  noFolders,
  nothingSelected,
  onlyId,
  selectIds,
  selectRange,
  toggleId,
  toWire,
  type ObjectSelection,
} from './selection.ts';

const total = 30;
const everyId = Array.from({ length: total }, (_, index) => index + 1);
const id = fc.integer({ min: 1, max: total });
const query = objectQuerySchema.parse({
  serviceId: 'p',
  kind: 'data',
  place: { kind: 'all' },
  search: '',
  sort: { column: 'stored', direction: 'descending' },
});

type Step =
  | { do: 'toggle'; id: number }
  | { do: 'add'; ids: number[] }
  | { do: 'only'; ids: number[] }
  | { do: 'range'; ids: number[] }
  | { do: 'all' }
  | { do: 'none' };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('toggle' as const), id }),
  fc.record({ do: fc.constant('add' as const), ids: fc.array(id) }),
  fc.record({ do: fc.constant('only' as const), ids: fc.array(id) }),
  fc.record({ do: fc.constant('range' as const), ids: fc.uniqueArray(id) }),
  fc.constant({ do: 'all' as const }),
  fc.constant({ do: 'none' as const }),
);

/** A range as main returns it. */
function rangeOf(ids: readonly number[]): ObjectSelection {
  const firstId = ids.length === 0 ? 0 : Math.min(...ids);
  const bytes = [0, 1, 2, 3].map((at) =>
    ids.reduce((byte, each) => byte | ((each - firstId) >> 3 === at ? 1 << ((each - firstId) & 7) : 0), 0),
  );
  const selection = { kind: 'frozen' as const, ticket: '5f0c1a52-5a0e-4c8e-9d57-0f7d3a1b2c3d' };
  return selectRange({ selection, count: ids.length, firstId, bits: btoa(String.fromCharCode(...bytes)) });
}

function apply(selection: ObjectSelection, taken: Step): ObjectSelection {
  switch (taken.do) {
    case 'toggle':
      return toggleId(selection, taken.id);
    case 'add':
      return addIds(selection, taken.ids);
    case 'only':
      return selectIds(taken.ids);
    case 'range':
      return rangeOf(taken.ids);
    case 'all':
      return everythingSelected;
    case 'none':
      return nothingSelected;
  }
}

/** The same operation on a plain set of ids. */
function applyToSet(set: Set<number>, taken: Step): Set<number> {
  switch (taken.do) {
    case 'toggle':
      return new Set(everyId.filter((each) => set.has(each) !== (each === taken.id)));
    case 'add':
      return new Set([...set, ...taken.ids]);
    case 'only':
    case 'range':
      return new Set(taken.ids);
    case 'all':
      return new Set(everyId);
    case 'none':
      return new Set();
  }
}

describe('selection', () => {
  it('agrees with a plain set after any steps', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const selection = steps.reduce(apply, nothingSelected);
        const set = steps.reduce(applyToSet, new Set<number>());
        expect(everyId.filter((each) => isSelected(selection, each))).toEqual(
          everyId.filter((each) => set.has(each)),
        );
        expect(countSelected(selection, total)).toBe(set.size);
        const only = onlyId(selection);
        expect(only === null || (set.size === 1 && set.has(only))).toBe(true);
      }),
    );
  });

  it('converts it to the contract’s format, and to null if empty', () => {
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const selection = steps.reduce(apply, nothingSelected);
        const wire = toWire(selection, noFolders, query);
        const isValid = selectionSchema.safeParse(wire).success;
        expect(isValid).toBe(wire !== null);
        expect(isValid || countSelected(selection, total) === 0).toBe(true);
      }),
    );
  });

  it('restores it by a second toggle', () => {
    fc.assert(
      fc.property(fc.array(step), id, (steps, each) => {
        const before = steps.reduce(apply, nothingSelected);
        expect(toggleId(toggleId(before, each), each)).toEqual(before);
      }),
    );
  });
});

import { beforeEach, expect, it } from 'vitest';
import {
  resetPlace,
  revisit,
  setSearch,
  setSort,
  showPlace,
  showSettings,
  sortOf,
  usePlace,
} from './place.ts';

beforeEach(() => resetPlace());

const sort = () => sortOf(usePlace.getState());

it('folders, objects, secrets and deleted objects each keep their own sort order', () => {
  expect(sort()).toEqual({ column: 'identifier', direction: 'ascending' });
  setSort({ column: 'stored', direction: 'ascending' });
  showPlace({ kind: 'all' });
  setSort({ column: 'size', direction: 'ascending' });
  showPlace({ kind: 'all' }, 'secret');
  expect(sort()).toEqual({ column: 'stored', direction: 'descending' });
  setSort({ column: 'identifier', direction: 'ascending' });
  showPlace({ kind: 'gone' });
  expect(sort()).toEqual({ column: 'checked', direction: 'descending' });
  showPlace({ kind: 'attention' });
  expect(sort()).toEqual({ column: 'size', direction: 'ascending' });
  showPlace({ kind: 'folder', path: 'a' });
  expect(sort()).toEqual({ column: 'stored', direction: 'ascending' });
  const { kind, place, sorts } = usePlace.getState();
  resetPlace({ kind, place, sorts });
  showPlace({ kind: 'all' }, 'secret');
  expect(sort()).toEqual({ column: 'identifier', direction: 'ascending' });
  // A service not shown before has the default sort orders.
  resetPlace();
  expect(sort()).toEqual({ column: 'identifier', direction: 'ascending' });
  showPlace({ kind: 'all' });
  expect(sort()).toEqual({ column: 'stored', direction: 'descending' });
});

it('goes back and forward through the places visited, with what was searched for there', () => {
  const shown = () => {
    const { view, place, search } = usePlace.getState();
    return view === 'objects' ? [place.kind === 'folder' ? place.path : place.kind, search] : [view];
  };
  expect(revisit('back')).toBe(false);
  showPlace({ kind: 'folder', path: 'a' });
  setSearch('plan');
  showPlace({ kind: 'folder', path: 'a/b' });
  showPlace({ kind: 'folder', path: 'a/b' });
  showSettings();
  revisit('back');
  expect(shown()).toEqual(['a/b', '']);
  revisit('back');
  expect(shown()).toEqual(['a', 'plan']);
  revisit('back');
  expect(shown()).toEqual(['', '']);
  expect(revisit('back')).toBe(false);
  revisit('forward');
  expect(shown()).toEqual(['a', 'plan']);
  // Another way from here: what came after is forgotten.
  showPlace({ kind: 'recent' });
  expect(revisit('forward')).toBe(false);
  revisit('back');
  expect(shown()).toEqual(['a', 'plan']);
  // Of another service there is nothing to go back to.
  resetPlace();
  expect(revisit('back')).toBe(false);
});

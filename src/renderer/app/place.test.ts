import { beforeEach, expect, it } from 'vitest';
import { resetPlace, setSort, showPlace, sortOf, usePlace } from './place.ts';

beforeEach(() => usePlace.setState(usePlace.getInitialState(), true));

const sort = () => sortOf(usePlace.getState());

it('objects, secrets and deleted objects each keep their own sort order', () => {
  setSort({ column: 'size', direction: 'ascending' });
  showPlace({ kind: 'all' }, 'secret');
  expect(sort()).toEqual({ column: 'stored', direction: 'descending' });
  setSort({ column: 'identifier', direction: 'ascending' });
  showPlace({ kind: 'gone' });
  expect(sort()).toEqual({ column: 'checked', direction: 'descending' });
  showPlace({ kind: 'folder', path: 'a' });
  expect(sort()).toEqual({ column: 'size', direction: 'ascending' });
  const { kind, place, sorts } = usePlace.getState();
  resetPlace({ kind, place, sorts });
  showPlace({ kind: 'all' }, 'secret');
  expect(sort()).toEqual({ column: 'identifier', direction: 'ascending' });
  // A service not shown before has the default sort orders.
  resetPlace();
  expect(sort()).toEqual({ column: 'stored', direction: 'descending' });
});

import { expect, it } from 'vitest';
import { readLeftArea, readRow } from './rows.ts';

/** A row in the format of `rowColumns`. */
function rowOf({ identifier = 'a', classification = 'Public', sourceName = 'a.txt', note = 'n' } = {}) {
  const row: (string | null)[] = ['0', identifier, '1', '1', '0', '0', '1', null, '3', null];
  row.push(classification, sourceName, null, null, null, note, null, 'f');
  return row;
}

// A real PostgreSQL stores neither; a server that only pretends to be one can send both.
it.each(['a\0b', 'a\ud800'])('leaves out a row with %j in any of its texts', (text) => {
  expect(readRow(rowOf())).toMatchObject({ identifier: 'a', note: 'n' });
  for (const field of ['identifier', 'classification', 'sourceName', 'note'])
    expect(readRow(rowOf({ [field]: text }))).toBeUndefined();
  expect(readLeftArea(['0', 'a', '1', '1'])).toMatchObject({ identifier: 'a' });
  expect(readLeftArea(['0', text, '1', '1'])).toBeUndefined();
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { events, procedures } from '../../shared/contract.ts';

/** Names of properties that would hold a path of this computer. */
const isOfPath = /path|^file$|^folder$|^directory$/i;

const expected = [
  // Folders of identifiers.
  'services.list: shownLists.place.path',
  'services.list: favourites[].place.path',
  'objects.page: folders.rows[].path',
  'objects.folders: folders[].path',
  'objects.makeFolder: path',
  'transfers.dock: rows[].batch.folder',
  // Below a dropped, given or watched folder.
  'uploadPlans.page: entries[].folder',
  'command.put: problems[].folder',
  'watch.list: folders[].skipped[].path',
  // For a person to read, with the home folder as ~.
  'approvals.list: asks[].folder',
  'transfers.savedIn: folder',
  // Refused to the page.
  'edits.copyOf: path',
  'edits.leave: folder',
];

function placesIn(schema: unknown, at = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'properties')
      return Object.entries(value as object).flatMap(([name, of]) => {
        const here = at === '' ? name : `${at}.${name}`;
        return [...(isOfPath.test(name) ? [here] : []), ...placesIn(of, here)];
      });
    return placesIn(value, key === 'items' ? `${at}[]` : at);
  });
}

test('what crosses to the page has no path of this computer', () => {
  const outputs = [
    ...Object.entries(procedures).map(([name, { output }]) => [name, output] as const),
    ...Object.entries(events),
  ];
  const places = outputs.flatMap(([name, schema]) =>
    placesIn(z.toJSONSchema(schema, { unrepresentable: 'any', reused: 'inline' })).map(
      (at) => `${name}: ${at}`,
    ),
  );
  expect([...new Set(places)].toSorted()).toEqual(expected.toSorted());
});

import { afterEach, expect, it } from 'vitest';
import { createFakeMain, testTransfer } from '../../../../test-support/renderer/testing.tsx';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { useUndo } from '../../app/undo.ts';
import { undoOf } from './undo-changes.ts';

afterEach(() => useUndo.setState({ entries: [] }));

const stored = { kind: 'stored', verifiedBy: 'digest' } as const;
const moved = (objectId: number, movedFrom: string, identifier: string): Transfer => ({
  ...testTransfer,
  objectId,
  identifier,
  state: 'done',
  outcome: { ...stored, movedFrom },
});
const reclassified = (objectId: number, classifiedFrom: string | null, classification: string): Transfer => ({
  ...testTransfer,
  objectId,
  state: 'done',
  outcome: { ...stored, classification, classifiedFrom },
});

function open() {
  return createFakeMain({
    'objects.move': ({ selection }) => ({
      count: selection.kind === 'ids' ? selection.ids.length : 0,
      leftOut: 0,
      renamedId: null,
    }),
    'objects.reclassify': ({ selection }) => ({
      count: selection.kind === 'ids' ? selection.ids.length : 0,
      leftOut: 0,
    }),
  });
}

it('moves what was moved back to where it was, folder by folder', async () => {
  const { client, calls } = open();
  const rows = [
    moved(1, 'photos/2026/a.txt', 'archive/2026/a.txt'),
    moved(2, 'photos/b.txt', 'archive/b.txt'),
    moved(3, 'notes.txt', 'archive/notes.txt'),
  ];
  expect(undoOf(client, rows)).not.toBeNull();
  const [entry] = useUndo.getState().entries;
  expect(entry?.of).toBe('move');
  await entry?.run();
  expect(calls.map(({ input }) => input)).toEqual([
    { selection: { kind: 'ids', ids: [1, 2] }, to: { kind: 'beginning', from: 'archive', to: 'photos' } },
    { selection: { kind: 'ids', ids: [3] }, to: { kind: 'name', identifier: 'notes.txt' } },
  ]);
  // What the undo itself has moved is no further step.
  const back = rows.map((row) => ({
    ...row,
    identifier: row.outcome?.kind === 'stored' ? (row.outcome.movedFrom ?? '') : '',
    outcome: { ...stored, movedFrom: row.identifier },
  }));
  expect(undoOf(client, back)).toBeNull();
  expect(useUndo.getState().entries).toHaveLength(1);
});

it('gives each object the classification that it had', async () => {
  const { client, calls } = open();
  undoOf(client, [
    reclassified(1, 'Public', 'Secret'),
    reclassified(2, null, 'Secret'),
    reclassified(3, 'Public', 'Secret'),
  ]);
  const [entry] = useUndo.getState().entries;
  expect(entry?.of).toBe('classify');
  await entry?.run();
  expect(calls.map(({ input }) => input)).toEqual([
    { selection: { kind: 'ids', ids: [1, 3] }, classification: 'Public' },
    { selection: { kind: 'ids', ids: [2] }, classification: null },
  ]);
});

it('offers nothing for what is not all undone by it', () => {
  const { client } = open();
  const uploaded: Transfer = { ...testTransfer, objectId: 2, state: 'done', outcome: stored };
  expect(undoOf(client, [moved(1, 'a', 'b'), uploaded])).toBeNull();
  expect(undoOf(client, [])).toBeNull();
  expect(useUndo.getState().entries).toEqual([]);
});

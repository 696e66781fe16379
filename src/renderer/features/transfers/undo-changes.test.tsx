import { waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createFakeMain, testTransfer } from '../../../../test-support/renderer/testing.tsx';
import type { Transfer } from '../../../shared/domain/transfer.ts';
import { offerUndo, useUndo } from '../../app/undo.ts';
import { undoMove } from '../../app/undo-move.ts';
import { undoOf } from './undo-changes.ts';

const stored = { kind: 'stored', verifiedBy: 'digest' } as const;
const moved = (id: number, movedFrom: string): Transfer => ({
  ...testTransfer,
  id,
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
    'objects.undoMove': ({ transferIds }) => ({ leftOut: 0, transferIds: transferIds.map((id) => id + 10) }),
    'objects.reclassify': ({ selection }) => ({
      count: selection.kind === 'ids' ? selection.ids.length : 0,
      leftOut: 0,
    }),
  });
}

it('moves what was moved back to where it was', async () => {
  const { client, calls } = open();
  expect(undoOf(client, [moved(1, 'photos/a.txt'), moved(2, 'notes.txt')])).not.toBeNull();
  const [entry] = useUndo.getState().entries;
  expect(entry?.of).toBe('move');
  await entry?.run();
  expect(calls.map(({ input }) => input)).toEqual([{ transferIds: [1, 2] }]);
  // What the undo itself has moved is no further step.
  expect(undoOf(client, [moved(11, 'x/a.txt'), moved(12, 'x/notes.txt')])).toBeNull();
  expect(useUndo.getState().entries).toHaveLength(1);
});

it('does not offer to undo what was undone before it was said to be done', async () => {
  const { client } = open();
  await undoMove(client, [31, 32]);
  expect(undoOf(client, [moved(31, 'a.txt'), moved(32, 'b.txt')])).toBeNull();
});

it('does not offer what is offered since the move began once more', async () => {
  const { client } = open();
  const ran: string[] = [];
  offerUndo('Moving', { of: 'move', key: 'm', transferIds: [21, 22], run: async () => ran.push('m') });
  undoOf(client, [moved(22, 'a.txt')])?.run();
  await waitFor(() => expect(ran).toEqual(['m']));
  expect(useUndo.getState().entries).toEqual([]);
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
    { selection: { kind: 'ids', ids: [1, 3] }, classification: 'Public', isUndo: true },
    { selection: { kind: 'ids', ids: [2] }, classification: null, isUndo: true },
  ]);
});

it('gives an object that was changed twice the classification that it had first', async () => {
  const { client, calls } = open();
  undoOf(client, [reclassified(4, 'Internal', 'Secret'), reclassified(4, null, 'Internal')]);
  await useUndo.getState().entries[0]?.run();
  expect(calls.map(({ input }) => input)).toEqual([
    { selection: { kind: 'ids', ids: [4] }, classification: null, isUndo: true },
  ]);
});

it('offers no undo of what an undo has asked for, whatever ends with it', async () => {
  const { client, calls } = open();
  undoOf(client, [reclassified(5, 'Public', 'Secret')]);
  await useUndo.getState().entries[0]?.run();
  useUndo.setState({ entries: [] });
  undoOf(client, [reclassified(6, null, 'Internal'), reclassified(5, 'Secret', 'Public')]);
  await useUndo.getState().entries[0]?.run();
  expect(calls.at(-1)?.input).toMatchObject({ selection: { ids: [6] }, classification: null });
});

it('offers nothing for what is not all undone by it', () => {
  const { client } = open();
  const uploaded: Transfer = { ...testTransfer, objectId: 2, state: 'done', outcome: stored };
  expect(undoOf(client, [moved(1, 'a'), uploaded])).toBeNull();
  expect(undoOf(client, [])).toBeNull();
  expect(useUndo.getState().entries).toEqual([]);
});

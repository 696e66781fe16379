import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ObjectRow } from '../../../../shared/contract.ts';
import { renderInApp, testObject } from '../../../../../test-support/renderer/testing.tsx';
import { objectColumns } from './columns.ts';
import { ObjectRowView } from './ObjectRowView.tsx';

const row: ObjectRow = {
  ...testObject,
  id: 5,
  identifier: 'a.bin',
  state: 'uploading',
  lengthBytes: 1000,
};
const over: NonNullable<ObjectRow['transfer']> = {
  id: 1,
  direction: 'upload',
  state: 'uploading',
  waitingFor: null,
  retryAtMs: null,
  priority: 'normal',
  error: null,
  doneBytes: 100,
  totalBytes: 1000,
};

function open(shown: ObjectRow) {
  return renderInApp(
    <div role="grid" aria-label="Objects">
      <ObjectRowView
        row={shown}
        index={0}
        rowIndex={0}
        columns={objectColumns.fit({ hiddenColumns: [], columnWidths: {} }, 1000)}
        separator="/"
        folder=""
        nowMs={0}
        isSelected={false}
        isCursor={false}
      />
    </div>,
  );
}

const progress = (objectId: number | null, doneBytes: number) => ({
  entries: [{ id: 1, objectId, doneBytes, totalBytes: 1000, bytesPerSecond: null, leftMs: null }],
  bytesPerSecond: null,
  leftMs: null,
  fraction: null,
});

it('shows that it is stored for a minute, then only to screen readers', () => {
  const isShown = () => screen.getByText('Stored').classList.contains('state');
  const stored = { ...row, state: 'stored', transfer: null } as const;
  const { unmount } = open({ ...stored, storedAtMs: -30_000 });
  expect(isShown()).toBe(true);
  unmount();
  open({ ...stored, storedAtMs: -90_000 });
  expect(isShown()).toBe(false);
  expect(screen.getByRole('row', { name: 'a.bin, 1 KB, Stored' })).toBeTruthy();
});

it.each([
  ['what came with it', over, 'Uploading 10%'],
  ['nothing, for a deferred one', null, 'Uploading'],
])('a row follows the progress of its object, from %s', (_, transfer, before) => {
  const { main } = open({ ...row, transfer });
  expect(screen.getByRole('row').getAttribute('aria-label')).toBe(`a.bin, 1 KB, ${before}`);
  act(() => main.emit('transfers.progress', progress(5, 640)));
  expect(screen.getByRole('row').getAttribute('aria-label')).toBe('a.bin, 1 KB, Uploading 64%');
  act(() => main.emit('transfers.progress', progress(6, 900)));
  expect(screen.getByRole('row').getAttribute('aria-label')).toBe('a.bin, 1 KB, Uploading 64%');
});

it('a paused row says Paused', () => {
  open({ ...row, transfer: { ...over, state: 'waiting', waitingFor: 'paused' } });
  expect(screen.getByRole('row').getAttribute('aria-label')).toBe('a.bin, 1 KB, Paused');
});

it('says in full what its row waits for', () => {
  const error = { code: 'tooManyRequests', status: 429, retryAfterMs: null } as const;
  open({ ...row, transfer: { ...over, state: 'waiting', waitingFor: 'retry', error } });
  expect(screen.getByRole('row').getAttribute('aria-label')).toBe('a.bin, 1 KB, Waiting, too many requests');
  expect(screen.getByText('Waiting')).toBeTruthy();
});

it('says that a classification changes, not that the object is replaced', () => {
  const replacing = {
    isReclassification: true,
    step: 'stage',
    againAtMs: null,
    isOut: false,
    oldIsHere: false,
    oldBeside: null,
    newIsHere: false,
    newBeside: null,
  } as const;
  open({ ...row, state: 'stored', transfer: { ...over, replacing } });
  expect(screen.getByText('Reclassifying')).toBeTruthy();
});

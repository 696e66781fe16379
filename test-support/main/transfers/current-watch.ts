import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TransferRecord } from '../../../src/main/transfers/record.ts';

/** The transfers that Make current begins. */
export interface CurrentTransfers {
  /** Private copies of versions that lie whole. */
  readonly copies: readonly TransferRecord[];
  /** What is stored as the newest: of a file in parts another list, of any other such a copy. */
  readonly uploads: readonly TransferRecord[];
  /** Copies that are here and not on their way to the service yet. Of an address of before they go nowhere. */
  readonly waiting: readonly TransferRecord[];
}

export function currentTransfers(
  records: readonly TransferRecord[],
  folder: string,
  origin: string,
): CurrentTransfers {
  const below = join(folder, 'versions');
  const copies = records.filter(({ work }) => work.kind === 'download' && work.copyFor === 'version');
  const uploads = records.filter(
    ({ work }) => work.kind === 'upload' && (work.again !== undefined || work.path.startsWith(below)),
  );
  const sent = new Set(uploads.map(({ work }) => (work.kind === 'upload' ? work.path : '')));
  const waiting = copies.filter(
    (copy) => copy.origin === origin && copy.state.name === 'done' && !sent.has(pathOf(copy.work)),
  );
  return { copies, uploads, waiting };
}

/**
 * Nothing that was to be made current is forgotten, and no copy stays that nobody means to send.
 * @param begun how often it was said
 */
export async function lookAtCurrent(
  { copies, uploads, waiting }: CurrentTransfers,
  begun: number,
  folder: string,
): Promise<void> {
  const lists = uploads.filter(({ work }) => work.kind === 'upload' && work.again !== undefined);
  assert.equal(copies.length + lists.length, begun, 'a version that was to be made current was forgotten');
  assert.deepEqual(
    waiting.map(({ identifier }) => identifier),
    [],
    'a copy was made, and not stored',
  );
  const open = [...copies, ...uploads].filter(({ state }) => state.name === 'failed');
  const paths = new Set(open.map(({ work }) => pathOf(work)));
  for (const name of await readdir(join(folder, 'versions')).catch(() => []))
    assert.ok(
      paths.has(join(folder, 'versions', name, 'version')),
      `the copy ${name} stays, and nobody needs it`,
    );
}

function pathOf(work: TransferRecord['work']): string {
  if (work.kind === 'upload') return work.path;
  return work.kind === 'download' ? (work.saveAsPath ?? '') : '';
}

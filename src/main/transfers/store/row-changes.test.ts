import { expect, test } from 'vitest';
import { newUpload, serviceId } from '../../../../test-support/main/transfers/store/record-factory.ts';
import { openStores } from '../../../../test-support/main/transfers/store/stores.ts';
import { objectStateSchema } from '../../../shared/domain/object.ts';
import type { RowChange } from '../model/transition.ts';

const states = objectStateSchema.options;
type Make = (epoch: number) => RowChange;

interface Case {
  /** Whether the record is the writer of the row. */
  readonly isOwn?: boolean;
  /** Whether the row was added for it. */
  readonly wasAdded?: boolean;
  readonly note?: string;
  /** Whether the record ends as cancelled. */
  readonly isCancelled?: boolean;
  /** Whether the row has changed since the service was asked. */
  readonly isLate?: boolean;
}

/** What becomes of a row in each state: the changes of state, and the states in which the record writes the row afterwards. */
async function outcomes(
  make: Make,
  { isOwn = true, wasAdded = false, note = '', isCancelled = false, isLate = false }: Case,
): Promise<{ changes: string; writes: string }> {
  using opened = await openStores([serviceId], () => 1);
  const { transfers, catalogue } = opened.stores;
  const names = states.map((state) => `of ${state}`);
  const listed = names.map((identifier) => ({ kind: 'data', identifier, patch: {} }) as const);
  if (!wasAdded) await catalogue.add(serviceId, listed);
  const added = await transfers.enqueue(serviceId, names.map(newUpload));
  const changes: string[] = [];
  const writes: string[] = [];
  for (const [code, { id, objectId }] of added.entries()) {
    const before = states[code] ?? '';
    opened.db
      .prepare('UPDATE object SET state = ?, note = ?, writer = ?, length_bytes = 3 WHERE id = ?')
      .run(code, note, isOwn ? id : null, objectId);
    const [row] = await transfers.rows([objectId ?? 0]);
    const change = isCancelled ? { state: { name: 'cancelled' as const } } : {};
    await transfers.apply([{ id, change, row: make((row?.epoch ?? 0) - Number(isLate)) }]);
    const now = opened.db.prepare('SELECT state, writer FROM object WHERE id = ?').get(objectId);
    const after = now ? states[Number(now['state'])] : 'removed';
    if (before !== after) changes.push(`${before} → ${String(after)}`);
    if (now?.['writer'] === id) writes.push(before);
  }
  return { changes: changes.join(', '), writes: writes.length === states.length ? 'all' : writes.join(', ') };
}

const history = { action: 'uploadFailed' } as const;
const there = { present: true, lengthBytes: 3 } as const;
const release: Make = () => ({ kind: 'release', state: 'failed', history });
const remove: Make = () => ({ kind: 'remove' });
const leave: Make = () => ({ kind: 'leave', history: null });
const skipped: Make = () => ({ kind: 'skipped', seen: there });
const replacing: Make = () => ({ kind: 'replacing' });
const unsure: Make = () => ({ kind: 'unsure' });
const deleting: Make = () => ({ kind: 'deleting' });
const deleted: Make = () => ({ kind: 'deleted', state: 'gone', history });
const seen: Make = (epoch) => ({ kind: 'seen', seen: there, epoch });
const found: Make = (epoch) => ({
  kind: 'found',
  lengthBytes: 3,
  sentBytes: 3,
  listedStoredAtMs: null,
  epoch,
});
const downloaded: Make = (epoch) => ({
  kind: 'downloaded',
  lengthBytes: 3,
  sha256: 'bb',
  isFresh: true,
  epoch,
});
const others = { isOwn: false };

test.each<[string, Make, Case, string, string]>([
  ['releases a row of which nothing was stored', release, {}, 'uploading → failed, unknown → failed', ''],
  ['releases only its own row', release, others, '', ''],
  ['keeps a row that was there before its upload', remove, {}, 'uploading → failed, unknown → failed', ''],
  [
    'removes the row that was added for an upload which never began',
    remove,
    { wasAdded: true },
    'uploading → removed, unknown → failed',
    '',
  ],
  [
    'keeps an added row that has a note',
    remove,
    { wasAdded: true, note: 'n' },
    'uploading → failed, unknown → failed',
    '',
  ],
  ['leaves the row of another', remove, others, '', ''],
  [
    'counts an object as not stored while a Replace may change it',
    replacing,
    {},
    states.flatMap((state) => (state === 'uploading' ? [] : `${state} → uploading`)).join(', '),
    'all',
  ],
  ['replaces nothing in the row of another', replacing, others, '', ''],
  ['leaves a row that it had taken', leave, {}, 'uploading → unknown', ''],
  ['goes on with the row that was added for it', leave, { wasAdded: true }, '', 'uploading'],
  [
    'takes the added row away when it is cancelled',
    leave,
    { wasAdded: true, isCancelled: true },
    'uploading → removed',
    '',
  ],
  ['leaves another’s row alone', leave, others, '', ''],
  ['keeps the row of an upload that may have arrived', unsure, {}, 'uploading → unknown', 'all'],
  ['is unsure only of its own row', unsure, others, '', ''],
  ['shows the object that an upload has skipped', skipped, {}, 'uploading → stored', ''],
  [
    'shows the skipped object in an added row that was unknown, too',
    skipped,
    { wasAdded: true },
    'uploading → stored, unknown → stored',
    '',
  ],
  ['does not say of another’s row that it was skipped', skipped, others, '', ''],
  [
    'takes a row for a deletion',
    deleting,
    others,
    'stored → deleting, unknown → deleting, missing → deleting, gone → deleting, failed → deleting',
    'stored, unknown, missing, gone, failed',
  ],
  ['deletes nothing that is being written', deleting, {}, '', 'all'],
  ['ends a deletion unless the state has changed since', deleted, {}, 'deleting → gone', ''],
  ['ends no deletion of another', deleted, others, '', ''],
  [
    'shows what HEAD has seen where nothing is going on',
    seen,
    others,
    'unknown → stored, missing → stored, gone → stored, failed → stored',
    '',
  ],
  [
    'shows as missing what HEAD has not seen, unless it was deleted or never stored',
    (epoch) => ({ kind: 'seen', seen: { present: false }, epoch }),
    others,
    'stored → missing, unknown → missing',
    '',
  ],
  ['ignores the answer of a HEAD from before a change', seen, { isOwn: false, isLate: true }, '', ''],
  [
    'lists what an abandoned upload has stored, unless it is being deleted',
    found,
    {},
    'uploading → stored, unknown → stored, missing → stored, gone → stored, failed → stored',
    '',
  ],
  [
    'lists it no more if it was deleted since',
    found,
    { isLate: true },
    'uploading → stored, unknown → stored, missing → stored, failed → stored',
    '',
  ],
  [
    'knows from a download that the object is there',
    downloaded,
    others,
    'unknown → stored, missing → stored',
    '',
  ],
  ['ignores a download from before a change', downloaded, { isOwn: false, isLate: true }, '', ''],
  [
    'shows what was stored, whatever the row said',
    () => ({ kind: 'stored', patch: {}, history }),
    {},
    states.flatMap((state) => (state === 'stored' ? [] : `${state} → stored`)).join(', '),
    '',
  ],
  [
    'knows from its value that a secret is stored',
    () => ({ kind: 'secretRead', lengthBytes: 4 }),
    others,
    'unknown → stored, missing → stored, deleting → stored, gone → stored, failed → stored',
    '',
  ],
])('%s', async (_, make, given, changes, writes) => {
  expect(await outcomes(make, given)).toEqual({ changes, writes });
});

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { applicationId } from '../../catalogue/migrations.ts';
import { stateCode } from '../../catalogue/rows.ts';
import { makeFolder } from '../../../../test-support/main/catalogue/folder.ts';
import type { ObjectState } from '../../../shared/domain/object.ts';

/** The schema as the first version made it, literally. */
const firstSchema = `
  CREATE TABLE profile (id INTEGER PRIMARY KEY, profile_id TEXT NOT NULL UNIQUE, separator TEXT NOT NULL) STRICT;
  CREATE TABLE object (
    id INTEGER PRIMARY KEY AUTOINCREMENT, profile INTEGER NOT NULL REFERENCES profile ON DELETE CASCADE,
    kind INTEGER NOT NULL, identifier TEXT NOT NULL, state INTEGER NOT NULL, length_bytes INTEGER, sha256 TEXT,
    classification TEXT, source_name TEXT, stored_at_ms INTEGER, checked_at_ms INTEGER, activity_token TEXT,
    note TEXT NOT NULL, UNIQUE (profile, kind, identifier)
  ) STRICT;
  CREATE INDEX object_by_state ON object (profile, kind, state, length_bytes);
  CREATE TABLE history (
    id INTEGER PRIMARY KEY, object INTEGER NOT NULL REFERENCES object ON DELETE CASCADE, at_ms INTEGER NOT NULL,
    action TEXT NOT NULL, detail TEXT, activity_token TEXT
  ) STRICT;
  CREATE INDEX history_by_object ON history (object);
  CREATE TABLE document (
    collection TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (collection, key)
  ) STRICT, WITHOUT ROWID;
  PRAGMA application_id = ${String(applicationId)};
  PRAGMA user_version = 1;
  INSERT INTO profile VALUES (1, 'p1', '/'), (2, 'here', '/'), (3, 'kept', '/');
`;

const startedAt = { wallMs: 1000, steadyMs: 500 };
const usedAt = { wallMs: 3000, steadyMs: 2500 };
const deferred = { token: 't', startedAt, usedAt, checks: 3, warned: 1 };
const answered = { sentBytes: 5, sha256: 'aa', activityToken: 'act', fileChanged: false };
const upload = {
  kind: 'upload',
  path: '/home/me/a.bin',
  fileName: 'a.bin',
  expected: { sizeBytes: 5, mtimeMs: 7 },
  modifiedAtMs: 7,
  classification: 'Public',
  ifExists: 'ask',
  ownsRow: true,
  mayBeThere: false,
  answered: null,
  conflict: null,
  sha256: null,
};
const download = { kind: 'download', partPath: null, whole: null, savedPath: null };
const whole = { partPath: '/d/.part', fileName: 'd', lengthBytes: 5, sha256: 'bb' };
const storeSecret = { kind: 'storeSecret', classification: null, sourceName: null, ownsRow: true };
const unexpected = { code: 'unexpected', reference: 'r' };

interface Job {
  readonly state: string;
  readonly work: { readonly kind: string };
  readonly profileId?: string;
  readonly error?: unknown;
}

/** One document as the first version wrote it. */
function documentOf(number: number, { state, work, profileId = 'p1', error = null }: Job) {
  const isSecret = work.kind.endsWith('Secret');
  const isUp = work.kind === 'upload' || work.kind === 'storeSecret';
  const isOver = ['done', 'lost', 'failed', 'cancelled'].includes(state);
  const isFollowed = ['processing', 'completed', 'fetching'].includes(state);
  return {
    id: `job-${String(number)}`,
    number,
    profileId,
    kind: isSecret ? 'secret' : 'data',
    direction: isUp ? 'upload' : 'download',
    identifier: `i${String(number)}`,
    objectId: number,
    state,
    createdAtMs: 100 + number,
    checks: 3,
    totalBytes: 5,
    error,
    activityToken: null,
    outcome: state === 'done' ? { kind: 'stored', verifiedBy: 'length' } : null,
    finishedAtMs: isOver ? 900 : null,
    work,
    deferredToken: isFollowed ? 't' : null,
    startedAt: isFollowed ? startedAt : null,
    usedAt: isFollowed ? usedAt : null,
    warned: 1,
  };
}

it('a file of the first version: what was under way goes on, and nothing is sent again', async () => {
  await using folder = await makeFolder();
  const db = new DatabaseSync(join(folder.path, 'coffer.db'));
  db.exec(firstSchema);
  const putDocument = (collection: string, key: string, value: unknown) =>
    db.prepare('INSERT INTO document VALUES (?, ?, ?)').run(collection, key, JSON.stringify(value));
  const putObject = (id: number, state: ObjectState, kind = 0, profile = 1) =>
    db
      .prepare(`INSERT INTO object VALUES (?, ?, ?, ?, ?, 5, NULL, NULL, NULL, NULL, NULL, NULL, '')`)
      .run(id, profile, kind, `i${String(id)}`, stateCode(state));
  putDocument('profiles', 'p1', { id: 'p1', baseAddress: 'HTTPS://One.example:443/base/', isLocal: false });
  putDocument('profiles', 'here', { id: 'here', baseAddress: 'http://127.0.0.1:4000', isLocal: true });
  putDocument('jobs', 'time', usedAt);
  putDocument('jobs', 'odd', { state: 'dreaming' });
  const jobs: Job[] = [
    { state: 'waiting', work: upload },
    { state: 'sending', work: upload },
    { state: 'sending', work: download },
    { state: 'unknown', work: upload },
    { state: 'processing', work: { ...upload, answered } as Job['work'] },
    { state: 'processing', work: download, profileId: 'here' },
    { state: 'fetching', work: { ...download, partPath: '/d/.part' } as Job['work'] },
    { state: 'fetching', work: { ...download, whole } as Job['work'] },
    { state: 'verifying', work: { ...upload, answered } as Job['work'] },
    { state: 'lost', work: upload, error: unexpected },
    { state: 'lost', work: download },
    { state: 'done', work: upload },
    { state: 'failed', work: download, error: unexpected },
    { state: 'cancelled', work: upload },
    { state: 'waiting', work: storeSecret },
    { state: 'sending', work: storeSecret },
    { state: 'processing', work: storeSecret },
    { state: 'completed', work: { kind: 'readSecret' } },
  ];
  jobs.forEach((job, index) => {
    const number = index + 1;
    putDocument('jobs', `job-${String(number)}`, documentOf(number, job));
    const isUp = job.work.kind === 'upload' || job.work.kind === 'storeSecret';
    const isOver = ['done', 'lost', 'cancelled'].includes(job.state);
    const profile = job.profileId === 'here' ? 2 : 1;
    putObject(
      number,
      isUp && !isOver ? 'uploading' : 'stored',
      job.work.kind.endsWith('Secret') ? 1 : 0,
      profile,
    );
  });
  putDocument('jobs', 'job-70', documentOf(70, { state: 'waiting', work: download, profileId: 'nobody' }));
  putObject(80, 'uploading');
  putObject(81, 'deleting');
  putObject(82, 'deleting', 0, 3);
  db.close();

  const { transfers, documents, catalogue } = await folder.open();
  const ids = Array.from({ length: 19 }, (_, index) => index + 1);
  const records = await transfers.getMany(ids);
  const unsure = { name: 'unsure', goal: 'goOn', looks: 0, error: null };
  const failed = (error: unknown) => ({ name: 'failed', error });
  expect(records.map(({ state }) => state)).toEqual([
    { name: 'waiting' },
    unsure,
    { name: 'waiting' },
    unsure,
    { name: 'processing', deferred, sent: answered },
    { name: 'processing', deferred, sent: null },
    { name: 'completed', deferred },
    { name: 'publishing', whole, verifiedBy: 'length', replaces: false, epoch: null, deferred },
    { name: 'verifying', sent: answered, looks: 0 },
    { ...unsure, goal: 'lost', error: unexpected },
    { name: 'lost', error: null },
    { name: 'done', outcome: { kind: 'stored', verifiedBy: 'length' }, savedPath: null },
    failed(unexpected),
    { name: 'cancelled' },
    failed({ code: 'cancelled' }),
    failed({ code: 'connectionLost', doneBytes: 0, expectedBytes: 5, outcomeUnknown: true }),
    { name: 'processing', deferred, sent: null },
    { name: 'cancelled' },
    { name: 'deleting', isAnswered: false, looks: 0 },
  ]);
  expect(records[1]).toMatchObject({
    origin: 'https://one.example/base',
    route: 'deferred',
    direction: 'upload',
    objectId: 2,
    createdAtMs: 102,
    finishedAtMs: null,
    work: { kind: 'upload', path: '/home/me/a.bin', addedRow: true, mayBeThere: true, ifExists: 'ask' },
  });
  expect(records[5]?.origin).toBe('local');
  expect(records[18]).toMatchObject({
    direction: 'delete',
    identifier: 'i81',
    objectId: 81,
    route: 'direct',
  });
  expect((await transfers.interrupted()).map(({ id }) => id)).toEqual([2, 4, 5, 6, 7, 8, 9, 10, 17, 19]);

  const rows = await catalogue.getMany([1, 2, 15, 16, 17, 80, 81, 82]);
  expect(rows.map(({ state }) => state)).toEqual([
    'uploading',
    'uploading',
    'failed',
    'unknown',
    'uploading',
    'unknown',
    'deleting',
    'unknown',
  ]);
  expect(await catalogue.history(15, 9)).toMatchObject([{ action: 'uploadFailed', detail: 'cancelled' }]);
  // The row is the deletion's own: how it ended is taken at its word.
  const history = { action: 'deleted' } as const;
  await transfers.apply([
    {
      id: 19,
      change: { state: { name: 'done', outcome: null, savedPath: null } },
      row: { kind: 'deleted', state: 'gone', history },
    },
  ]);
  expect((await catalogue.getMany([81]))[0]?.state).toBe('gone');

  expect(await documents.get('engine', 'time')).toEqual(usedAt);
  expect((await documents.list('jobs')).map(({ key }) => key)).toEqual(['job-70', 'odd']);
});

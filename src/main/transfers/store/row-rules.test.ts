import { expect, test } from 'vitest';
import type { ObjectRecord } from '../../../shared/domain/object.ts';
import { factBits } from '../../../shared/domain/unverified.ts';
import type { TransferRecord } from '../model/record.ts';
import { whatIsFound } from './row-rules.ts';

const row: ObjectRecord = {
  id: 1,
  serviceId: 's',
  kind: 'data',
  identifier: 'a/1',
  state: 'stored',
  lengthBytes: 5,
  sha256: 'aa',
  classification: 'Secret',
  sourceName: 'f2',
  storedAtMs: 2000,
  checkedAtMs: 2000,
  activityToken: null,
  note: '',
};
const work: TransferRecord['work'] = {
  kind: 'upload',
  path: '/f1',
  fileName: 'f1',
  expected: null,
  modifiedAtMs: 0,
  classification: 'Internal',
  ifExists: 'ask',
  addedRow: false,
  mayBeThere: true,
};
const found = { kind: 'found', lengthBytes: 5, sentBytes: 5, listedStoredAtMs: null, epoch: 1 } as const;

test('keeps what another upload has stored since', () => {
  expect(whatIsFound(found, row, work)).toEqual({ lengthBytes: 5 });
});

test('assumes that an object stored before, or only claimed by an imported list, may have been replaced by the upload', () => {
  const unknown = { sha256: null, classification: null, sourceName: null, storedAtMs: null, lengthBytes: 5 };
  expect(whatIsFound({ ...found, listedStoredAtMs: 2000 }, row, work)).toEqual(unknown);
  expect(whatIsFound(found, { ...row, unverified: factBits.digest }, work)).toEqual(unknown);
});

import type { NewTransfer } from '../../../../src/main/transfers/model/store-types.ts';

export const serviceId = 'p1';
export const origin = 'https://one.example';

const common = {
  serviceId,
  origin,
  kind: 'data',
  route: 'direct',
  priority: 'normal',
  isPaused: false,
} as const;

export function newDownload(identifier: string, objectId: number): NewTransfer {
  return {
    ...common,
    direction: 'download',
    identifier,
    totalBytes: 10,
    work: { kind: 'download', saveAsPath: null },
    createdAtMs: 1,
    objectId,
    newRow: null,
  };
}

export function newUpload(identifier: string): NewTransfer {
  return {
    ...common,
    direction: 'upload',
    identifier,
    totalBytes: 10,
    work: {
      kind: 'upload',
      path: '/a',
      fileName: 'a',
      expected: { sizeBytes: 10, mtimeMs: 1 },
      modifiedAtMs: 1,
      classification: null,
      ifExists: 'ask',
      addedRow: false,
      mayBeThere: false,
    },
    createdAtMs: 1,
    objectId: null,
    newRow: { lengthBytes: 10, classification: null, sourceName: 'a' },
  };
}

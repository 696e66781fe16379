import type { ObjectRecord } from './object.ts';

/** Larger objects are not fetched to be looked at. */
export const previewMaxBytes = 2 * 1024 * 1024;

/** Why an object is not looked at, as far as it can be known without asking for it; null: it can be. */
export function previewProblem({
  kind,
  state,
  lengthBytes,
}: Pick<ObjectRecord, 'kind' | 'state' | 'lengthBytes'>): 'type' | 'state' | 'storing' | 'size' | null {
  if (kind !== 'data') return 'type';
  if (state === 'uploading') return 'storing';
  if (state !== 'stored' && state !== 'unknown') return 'state';
  return lengthBytes !== null && lengthBytes > previewMaxBytes ? 'size' : null;
}

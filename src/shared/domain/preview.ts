import type { ObjectRecord } from './object.ts';

/** Larger objects have no preview, whether they are on this computer or a person asks for it. */
export const previewMaxBytes = 16 * 1024 * 1024;
/** Larger objects are not fetched without being asked for. */
export const automaticMaxBytes = 2 * 1024 * 1024;

type Known = Pick<ObjectRecord, 'kind' | 'state' | 'lengthBytes'>;

/** Why an object is not looked at, as far as it can be known without asking for it; null: it can be. */
export function previewProblem(
  { kind, state, lengthBytes }: Known,
  maxBytes = previewMaxBytes,
): 'type' | 'state' | 'storing' | 'size' | null {
  if (kind !== 'data') return 'type';
  if (state === 'uploading') return 'storing';
  if (state !== 'stored' && state !== 'unknown') return 'state';
  return lengthBytes !== null && lengthBytes > maxBytes ? 'size' : null;
}

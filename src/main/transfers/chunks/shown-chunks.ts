import type { PartsShown, PartState } from '../../../shared/contract.ts';
import type { Plan } from './chunk-plans.ts';
import type { Manifest, ManifestChunk } from './manifest.ts';

/** How the parts of a file stand, in its order. */
export function showChunks(
  { parts, split }: Manifest,
  stateOf: (part: ManifestChunk, index: number) => PartState,
): PartsShown {
  const runs: { state: PartState; count: number }[] = [];
  for (const [index, part] of parts.entries()) {
    const state = stateOf(part, index);
    const last = runs.at(-1);
    if (last?.state === state) last.count += 1;
    else runs.push({ state, count: 1 });
  }
  return { total: parts.length, partBytes: split.bytes, runs };
}

/** Of a transfer that goes on. @param isRunning something is on its way */
export function showPlan({ manifest, marks, of }: Plan, isRunning: boolean): PartsShown {
  const isUpload = of.kind === 'upload';
  return showChunks(manifest, ({ id }) => {
    switch (marks.get(id)) {
      case 'done':
        return isUpload ? 'sent' : 'here';
      case 'tried':
        return isRunning ? 'moving' : 'toSend';
      case 'wrong':
        return 'missing';
      case undefined:
        return isUpload ? 'toSend' : 'toReceive';
    }
  });
}

import type { PartsShown, PartState } from '../../../shared/contract.ts';
import type { StepContext } from './step-context.ts';
import type { Plan } from './part-plans.ts';
import type { Manifest, ManifestPart } from './manifest.ts';

/** States of a file's parts, in file order. */
export function showParts(
  { parts, split }: Manifest,
  stateOf: (part: ManifestPart, index: number) => PartState,
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

/** States of the parts of an unfinished transfer. @param isRunning a request is under way */
export function showPlan({ manifest, marks, of }: Plan, isRunning: boolean): PartsShown {
  const isUpload = of.kind === 'upload';
  return showParts(manifest, ({ id }) => {
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

export type PartProgress = ReturnType<typeof trackProgress>;

/** Progress of the whole file: the parts that are done, and what was transferred of the others. */
export function trackProgress({ show }: Pick<StepContext, 'show'>, { manifest, marks }: Plan) {
  const transferring = new Map<string, number>();
  function report(): void {
    let doneBytes = 0;
    for (const { id, size } of manifest.parts)
      doneBytes += marks.get(id) === 'done' ? size : Math.min(transferring.get(id) ?? 0, size);
    show.progress(doneBytes, manifest.size);
  }
  return {
    report,
    transferred(id: string, bytes: number): void {
      transferring.set(id, bytes);
      report();
    },
  };
}

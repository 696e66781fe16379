import type { AppErrorOf } from '../../../shared/errors.ts';
import type { Seen } from '../model/state.ts';
import type { Gaps } from '../model/transition.ts';
import { mostRequests } from '../queue/limits/adaptive-limit.ts';
import type { StepContext } from './step-context.ts';
import type { Plan } from './part-plans.ts';
import type { Manifest } from './manifest.ts';
import { mapConcurrent } from '../../lib/async.ts';

/** Further gaps are only counted. */
const maxToldGaps = 20;

/**
 * Checks every part by HEAD (section 4.1, Check Data). A service that gives no length only tells that something is
 * there.
 * @returns the ids of those that are missing, or have another length. @throws CircuitOpen, AppFailure
 */
export async function findMissing(
  context: Pick<StepContext, 'service'>,
  { parts }: Pick<Manifest, 'parts'>,
): Promise<Set<string>> {
  const missing = new Set<string>();
  await mapConcurrent(parts, mostRequests, async ({ id, size }) => {
    if (!isAsLong(await context.service.head(id), size)) missing.add(id);
  });
  return missing;
}

/** Present, and not with another length. */
export function isAsLong(seen: Seen, sizeBytes: number): boolean {
  return seen.present && (seen.lengthBytes ?? sizeBytes) === sizeBytes;
}

/** Describes which bytes of a file are missing. @param missing part ids */
export function gapsOf(manifest: Manifest, missing: ReadonlySet<string>): AppErrorOf<'partsMissing'> {
  const gaps: { firstByte: number; lastByte: number }[] = [];
  let missingParts = 0;
  let missingBytes = 0;
  let atBytes = 0;
  for (const { id, size } of manifest.parts) {
    if (missing.has(id)) {
      missingParts += 1;
      missingBytes += size;
      const last = gaps.at(-1);
      if (last?.lastByte === atBytes - 1) last.lastByte = atBytes + size - 1;
      else gaps.push({ firstByte: atBytes, lastByte: atBytes + size - 1 });
    }
    atBytes += size;
  }
  return {
    code: 'partsMissing',
    gaps: gaps.slice(0, maxToldGaps),
    missingParts,
    parts: manifest.parts.length,
    missingBytes,
    sizeBytes: manifest.size,
  };
}

export function gapsIn(
  { manifest, sha256 }: Pick<Plan, 'manifest' | 'sha256'>,
  missing: (id: string) => boolean,
): Gaps {
  return {
    parts: manifest.parts.flatMap(({ id }, index) => (missing(id) ? [index] : [])),
    manifestSha256: sha256,
  };
}

/** Checks a stored manifest's parts: somebody may have deleted some before it was stored. null: all are there. */
export async function findIncomplete(context: StepContext, plan: Plan<'upload'>) {
  const missing = await findMissing(context, plan.manifest);
  if (missing.size === 0) return null;
  for (const id of missing) await context.parts.plans.mark(plan.transferId, id, null);
  const { gaps: _, ...sizes } = gapsOf(plan.manifest, missing);
  return {
    error: { ...sizes, code: 'storedIncomplete' } as const,
    gaps: gapsIn(plan, (id) => missing.has(id)),
  };
}

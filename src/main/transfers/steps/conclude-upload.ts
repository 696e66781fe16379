import { storedInParts, type Plan } from '../chunks/chunk-plans.ts';
import { findIncomplete } from '../chunks/missing-chunks.ts';
import { sentPlanOf } from './upload-body.ts';
import type { Seen, Sent, State } from '../model/state.ts';
import type { StepContext } from './step.ts';
import { workOf, type Next } from '../model/next.ts';
import { judge } from './verify.ts';

/**
 * Concludes an upload that the service has accepted, after HEAD: its next state, and the change of its row. The
 * chunks of a large file are all checked once more. @param epoch of the row before HEAD
 */
export async function concludeUpload(
  context: StepContext,
  sent: Sent,
  seen: Seen,
  verifiedBy: 'length' | 'digest',
  epoch?: number,
): Promise<Next> {
  const { clock, service } = context;
  const work = workOf(context, 'upload');
  const { classification, fileName, moves } = work;
  const judged = judge(sent, seen, fileName);
  const isWhole = judged?.code !== 'storedLengthDiffers';
  const nowMs = service.momentOf(clock.nowMs());
  const { activityToken } = sent;
  const plan = isWhole && sent.sha256 !== null ? listSentAs(context, sent.sha256) : null;
  const incomplete = plan && (await findIncomplete(context, plan));
  const inParts = plan && storedInParts(plan);
  const error = incomplete?.error ?? judged;
  const state: State = error
    ? { name: 'failed', error }
    : {
        name: 'done',
        outcome: { kind: 'stored', verifiedBy, ...(moves && { movedFrom: moves.identifier }) },
        savedPath: null,
      };
  return {
    state,
    change: {
      ...(activityToken !== null && { activityToken }),
      // The manifest is stored: another try sends what is missing.
      ...(incomplete && { work: { ...work, mayBeThere: true } }),
    },
    row: {
      kind: 'stored',
      ...(epoch !== undefined && { epoch }),
      patch: {
        state: incomplete ? 'missing' : isWhole ? 'stored' : stateOfUnproven(seen),
        lengthBytes: seen.present ? seen.lengthBytes : null,
        sha256: isWhole ? sent.sha256 : null,
        ...inParts?.patch,
        classification,
        sourceName: moves ? moves.sourceName : fileName,
        ...(moves && moves.note !== '' && { note: moves.note }),
        storedAtMs: nowMs,
        checkedAtMs: nowMs,
        activityToken,
      },
      history: {
        action: error ? 'uploadFailed' : moves ? 'moved' : 'uploaded',
        detail: error?.code ?? null,
        activityToken,
      },
      ...(inParts && { manifest: inParts.manifest }),
      ...(incomplete && { gaps: incomplete.gaps }),
    },
    isBehind: true,
  };
}

/** The plan whose manifest was stored with this digest; null: the file was stored whole. */
function listSentAs(context: StepContext, sha256: string): Plan<'upload'> | null {
  const plan = sentPlanOf(context);
  return plan?.sha256 === sha256 ? plan : null;
}

/** The service reported success and HEAD disagrees: never treated as stored. */
function stateOfUnproven(seen: Seen): 'missing' | 'unknown' | 'failed' {
  if (!seen.present) return 'missing';
  return seen.lengthBytes === null ? 'unknown' : 'failed';
}

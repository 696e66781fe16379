import { AppFailure } from '../../shared/app-failure.ts';
import type { Skipped } from '../../shared/domain/watch.ts';
import { localDate } from '../../shared/domain/template.ts';
import { pageLimitMax } from '../../shared/domain/object.ts';
import type { WatchedFile, WatchedFiles } from '../database/watched-files.ts';
import type { Connections } from '../connections/connections.ts';
import { untilAborted } from '../lib/async.ts';
import type { Clock, Log } from '../ports.ts';
import type { Engine } from '../transfers/engine.ts';
import type { PendingBatch } from '../transfers/queue/pending-batch.ts';
import { traitsOf } from '../transfers/model/state.ts';
import { belowOf, type FoundFile } from '../upload-plan/read-files.ts';
import { pathOf } from '../upload-plan/sheet-entries.ts';
import type { OpenPlan, PlanDeps } from '../upload-plan/open-plan.ts';
import { createUploadPlan } from '../upload-plan/upload-plan.ts';
import type { WatchRecord } from './watch-record.ts';

/** Until a Replace that failed half-way is retried, in ms. */
const replaceRetryMs = 600_000;

export interface SendDeps extends Pick<PlanDeps, 'documents' | 'catalogue' | 'publisher'> {
  readonly connections: Pick<Connections, 'factsOf' | 'originOf' | 'serviceIds'>;
  readonly engine: Pick<Engine, 'enqueue' | 'actions' | 'recordsOf'>;
  readonly watched: Pick<WatchedFiles, 'forget'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Log;
}

interface Sending {
  /** Sent files are added once their transfers are durable. */
  readonly known: Map<string, WatchedFile>;
  /** @param count number of uploads */
  readonly onSent: (count: number) => Promise<void>;
  /** Nothing is enqueued after it is aborted. */
  readonly signal: AbortSignal;
}

/**
 * Enqueues settled files of a watched folder as an upload sheet would: the same names, problems and answers.
 * @returns the problems, by path, of files that cannot be sent until they change
 * @throws like `OpenPlan.upload` (cancelled if the service's origin has changed), and the signal's reason; some files may have been sent
 */
export async function sendSettled(
  deps: SendDeps,
  record: Sent,
  files: readonly FoundFile[],
  sending: Sending,
): Promise<Map<string, Skipped['problem']>> {
  const problems = new Map<string, Skipped['problem']>();
  const pendingBatch = { count: files.length };
  for (let from = 0; from < files.length; from += pageLimitMax) {
    const found = files.slice(from, from + pageLimitMax);
    let batch = await withoutRunning(deps, record.id, found, sending.known);
    pendingBatch.count -= found.length - batch.length;
    // Files with the same identifier are sent one after the other, as if they had changed in that order.
    while (batch.length > 0) {
      const plan = await openPlan(deps, record, batch, { ...sending, pendingBatch });
      try {
        batch = await sendOnce(plan, record, batch, problems, sending.signal);
      } finally {
        await plan.discard();
      }
    }
  }
  return problems;
}

type Sent = Pick<WatchRecord, 'id' | 'serviceId' | 'origin' | 'choices'>;

/** @returns files that have the identifier of another file in the batch */
async function sendOnce(
  plan: OpenPlan,
  { choices }: Pick<WatchRecord, 'choices'>,
  batch: readonly FoundFile[],
  problems: Map<string, Skipped['problem']>,
  signal: AbortSignal,
): Promise<FoundFile[]> {
  plan.addFound(batch);
  // Names with a digest need the whole contents, and a drive may be slow or hang.
  await untilAborted(plan.settled(), signal);
  const { classification, ifExists, request } = choices;
  await plan.upload({ classification, ifExists, request });
  const same = new Set<string>();
  for (const { folder, fileName, problem } of plan.page(0, pageLimitMax).entries) {
    const path = folder === '' ? fileName : `${folder}/${fileName}`;
    if (problem?.code === 'sameIdentifier') same.add(path);
    else if (problem !== null) problems.set(path, problem);
  }
  return batch.filter((file) => same.has(belowOf(file)));
}

async function openPlan(
  { engine, connections, clock, ...deps }: SendDeps,
  { id: folderId, serviceId, origin, choices }: Sent,
  batch: readonly FoundFile[],
  { known, onSent, pendingBatch }: Sending & { pendingBatch: PendingBatch },
): Promise<OpenPlan> {
  const facts = await connections.factsOf(serviceId);
  const files = new Map(batch.map((file) => [pathOf(file), file]));
  return createUploadPlan(
    {
      ...deps,
      connections,
      onUpload: async () => undefined,
      async enqueueUploads(_, items, request) {
        // The person agreed to this origin only, and it may have changed while files were named.
        if (connections.originOf(serviceId) !== origin) throw new AppFailure({ code: 'cancelled' });
        const watched = items.map((item) => {
          const file = files.get(item.path);
          if (!file) throw new Error('a watched folder sends a file that is none of its own');
          return { folderId, path: belowOf(file), ino: file.ino, ctimeMs: file.ctimeMs };
        });
        const ids = await engine.enqueue.uploads(
          serviceId,
          items.map((item, index) => ({ ...item, watched: watched[index] })),
          request,
          pendingBatch,
        );
        items.forEach(({ sizeBytes, mtimeMs }, index) => {
          const { path = '', ino, ctimeMs } = watched[index] ?? {};
          known.set(path, { path, sizeBytes, mtimeMs, ino, ctimeMs, transferId: ids[index] ?? null });
        });
        await onSent(ids.length);
        return ids;
      },
    },
    serviceId,
    {
      intoFolder: choices.into,
      separator: facts.separator,
      template: choices.template,
      date: localDate(clock.nowMs()),
      openedAtMs: clock.nowMs(),
      exactLimitBytes: facts.maxObjectBytes,
      allowsParts: facts.allowsParts,
      batchSize: pageLimitMax,
      isShown: false,
    },
  );
}

/**
 * Removes waiting and failed uploads of earlier states of these files, because those states are gone. Leaves out files whose
 * upload is running, is a Replace that stopped half-way, or is in the person's hands (paused or edited): they wait for its end.
 */
async function withoutRunning(
  { engine, watched, clock }: Pick<SendDeps, 'engine' | 'watched' | 'clock'>,
  folderId: string,
  files: readonly FoundFile[],
  known: Map<string, WatchedFile>,
): Promise<FoundFile[]> {
  const ids = files.flatMap((file) => known.get(belowOf(file))?.transferId ?? []);
  if (ids.length === 0) return [...files];
  const running = new Set<number>();
  const outdated = new Set<number>();
  const halfWay: number[] = [];
  for (const { id, state, work, isPaused, finishedAtMs } of await engine.recordsOf(ids)) {
    const { life } = traitsOf(state);
    if (life === 'over' || work.kind !== 'upload') continue;
    // Only the Replace knows the classification of the object it deleted, and the copies it stored beside it.
    const isHalfWay = work.replace !== undefined;
    if (life === 'working' || isHalfWay || isPaused || work.isWatched === undefined) running.add(id);
    else outdated.add(id);
    if (isHalfWay && finishedAtMs !== null && Math.abs(clock.nowMs() - finishedAtMs) >= replaceRetryMs)
      halfWay.push(id);
  }
  if (halfWay.length > 0) await engine.actions.retry({ kind: 'ids', ids: halfWay });
  if (outdated.size > 0) {
    // First, so that these files do not count as sent after a kill before the new upload is durable.
    await watched.forget(folderId, [...outdated]);
    for (const path of files.map(belowOf))
      if (outdated.has(known.get(path)?.transferId ?? -1)) known.delete(path);
    await engine.actions.cancel({ kind: 'ids', ids: [...outdated] });
    await engine.actions.drop({ kind: 'ids', ids: [...outdated] });
  }
  return files.filter((file) => !running.has(known.get(belowOf(file))?.transferId ?? -1));
}

import { join } from 'node:path';
import type { ListedObject } from '../../shared/contract.ts';
import { folderPrefix } from '../../shared/domain/folder.ts';
import type { Service } from '../../shared/domain/service.ts';
import { readBelow } from '../objects/choose-objects.ts';
import { agreesToDelete, deleteObjects, type Deletions } from '../objects/delete-objects.ts';
import { atOnce } from '../objects/find-objects.ts';
import { finishTask } from '../objects/finish-task.ts';
import { endOf } from '../objects/task-end.ts';
import type { Context } from '../context.ts';
import { exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import type { Scan } from './absences.ts';
import { isTooMany, maxDeleteText, type MaxDelete } from './max-delete.ts';
import { findSurplus, type Surplus, type SurplusOptions } from './surplus.ts';
import { syncTexts as texts } from './texts.ts';

export interface PruneOptions extends Omit<SurplusOptions, 'naming'> {
  /** As the person named it. */
  readonly directory: string;
  /** Reads the folder. `settling`: some files are still to be stored. */
  readonly read: () => Promise<Scan | 'settling'>;
  /** Look a second time after `ms` from `sinceMs`, by the monotonic clock. null: the folder is being followed. */
  readonly settle: { readonly ms: number; readonly sinceMs: number } | null;
  readonly yes: boolean;
  readonly maxDelete: MaxDelete | undefined;
  readonly dryRun: boolean;
  /** Called before something is deleted. */
  readonly onWork: (() => void) | undefined;
  /** What was said last: the same is not said again. */
  readonly said: { key: string };
}

interface Pruned extends Deletions {
  /** Objects without a file that stay. */
  readonly kept: number;
  readonly code: ExitCode;
}

/** At most this many folders are named. */
const maxFolders = 10;

/** Deletes objects whose files have gone for good, after naming them and asking. */
export async function prune(context: Context, service: Service, options: PruneOptions): Promise<Pruned> {
  const { output, io, interrupted } = context;
  const { to, absences, read, settle, yes, dryRun, maxDelete, onWork } = options;
  const surplusIn = async (scan: Scan): Promise<Surplus> =>
    findSurplus(await readBelow(context, service, to), { naming: service, ...options }, scan);

  let scan = await read();
  if (scan === 'settling') return { deleted: 0, requested: 0, kept: 0, code: exitCodes.done };
  let surplus = await surplusIn(scan);
  if (settle !== null && !dryRun && surplus.missing.length > 0) {
    await waitToSettle(context, settle);
    scan = await read();
    if (scan === 'settling') return { deleted: 0, requested: 0, kept: 0, code: exitCodes.done };
    absences.add(scan);
    surplus = await surplusIn(scan);
  }
  const doomed = dryRun ? [...surplus.gone, ...surplus.missing] : surplus.gone;
  const isAsking = io.stdin.isTTY === true && settle !== null;
  const isExceeded = isTooMany(doomed.length, surplus.total, maxDelete);
  const isRefused = isExceeded && !isAsking && !dryRun;
  const numbers = { count: doomed.length, total: surplus.total, max: maxDeleteText(maxDelete) };
  const { notOwn, versions, unproven } = surplus;
  // Not of the total, which changes with each file that is stored.
  const key = JSON.stringify([...unproven, versions, notOwn, isRefused ? doomed.length : 0]);
  if (key !== options.said.key)
    sayWhatStays(context, service, options, surplus, isRefused ? texts.refusedTooMany(numbers) : null);
  options.said.key = key;
  const kept = [...unproven.values()].reduce((sum, { count }) => sum + count, notOwn + versions);
  const nothing = { deleted: 0, requested: 0, kept };
  const code = unproven.has('') ? exitCodes.error : exitCodes.done;
  if (isRefused) return { ...nothing, code: exitCodes.error };
  for (const { identifier } of doomed)
    output.result((dryRun ? texts.wouldDelete : texts.deletes)({ identifier }), { action: 'rm', identifier });
  if (doomed.length === 0 || dryRun) return { ...nothing, code };
  // The question comes after the names.
  await output.flushed();
  if (isExceeded) output.say(texts.tooMany(numbers));
  const isAgreed = (yes && !isExceeded) || (await agreesToDelete(context, doomed.length, service));
  if (!isAgreed) return { ...nothing, code: exitCodes.error };

  let [deleted, requested] = [0, 0];
  const count = (done: Deletions) => {
    deleted += done.deleted;
    requested += done.requested;
  };
  const codes: ExitCode[] = [code];
  for (let from = 0; from < doomed.length; from += atOnce) {
    // Again for each batch: the person may have taken long to answer, and so may the batch before.
    const { checked, code: checkCode } = await checkAtService(context, doomed.slice(from, from + atOnce));
    codes.push(checkCode);
    const now = await read();
    interrupted.throwIfAborted();
    if (now === 'settling') break;
    const batch = unchangedIn(checked, (await surplusIn(now)).gone);
    if (batch.length < checked.length)
      output.say(texts.changedMeanwhile({ count: checked.length - batch.length }));
    if (batch.length === 0) continue;
    onWork?.();
    codes.push(await deleteObjects(context, batch, count));
  }
  const failed = codes.filter((each) => each !== exitCodes.done);
  const isSome = deleted + requested > 0;
  return { deleted, requested, kept, code: exitCodeOfAll(isSome ? codes : failed) };
}

/**
 * Asks the service about the objects first: where HEAD shows another length, somebody else has stored under the name, and the list
 * no longer has it as stored from here. Objects that could not be asked about are left out.
 */
async function checkAtService(
  context: Context,
  objects: readonly ListedObject[],
): Promise<{ checked: readonly ListedObject[]; code: ExitCode }> {
  const selection = { kind: 'ids', ids: objects.map(({ id }) => id) } as const;
  const task = await finishTask(context, await context.coffer.call('objects.check', { selection }));
  const { state, failed, failures = [] } = task;
  const failing = new Set(failures.map(({ identifier }) => identifier));
  // Only the first failures are named.
  const isTold = state === 'done' && failing.size === failed;
  const checked = isTold ? objects.filter(({ identifier }) => !failing.has(identifier)) : [];
  return { checked, code: endOf(context, task, false) };
}

async function waitToSettle(
  { io: { clock }, output, interrupted }: Context,
  { ms, sinceMs }: NonNullable<PruneOptions['settle']>,
): Promise<void> {
  const leftMs = () => sinceMs + ms - clock.monotonicMs();
  if (leftMs() > 0) output.say(texts.waitsToSettle({ seconds: Math.ceil(leftMs() / 1000) }));
  while (leftMs() > 0) await clock.delay(leftMs(), interrupted);
  interrupted.throwIfAborted();
}

/** The objects that are still to be deleted and have not been stored again since. */
function unchangedIn(before: readonly ListedObject[], now: readonly ListedObject[]): ListedObject[] {
  const rows = new Map(now.map((row) => [row.id, row]));
  return before.filter(({ id, storedAtMs, sha256 }) => {
    const row = rows.get(id);
    return row?.storedAtMs === storedAtMs && row.sha256 === sha256;
  });
}

function sayWhatStays(
  { output }: Context,
  { separator }: Service,
  { directory, to }: Pick<PruneOptions, 'directory' | 'to'>,
  { notOwn, versions, unproven }: Surplus,
  refused: string | null,
): void {
  const folder = folderPrefix(to, separator);
  const named = [...unproven].filter(([path]) => path !== '');
  const notices = named.slice(0, maxFolders).map(([path, { why, count }]) => {
    const below = folder + path.split('/').join(separator) + separator;
    return texts.stays[why]({ path: join(directory, path), folder: below, count });
  });
  if (named.length > maxFolders) notices.push(texts.moreFolders({ count: named.length - maxFolders }));
  if (versions > 0) notices.push(texts.versionsStay({ count: versions }));
  if (notOwn > 0) notices.push(texts.notOwnStay({ count: notOwn, directory, folder: folder || separator }));
  const top = unproven.get('');
  const errors = [...(top ? [texts.notRead[top.why]] : []), ...(refused === null ? [] : [refused])];
  for (const notice of notices) output.say(notice);
  for (const error of errors) output.error(error);
}

import type { ListedObject } from '../../shared/contract.ts';
import { isClaimed } from '../../shared/domain/claims.ts';
import { selectionIdsMax } from '../../shared/domain/object.ts';
import type { Service } from '../../shared/domain/service.ts';
import { readBelow } from '../objects/choose-objects.ts';
import { agreesToDelete, deleteObjects, type Deletions } from '../objects/delete-objects.ts';
import type { Context } from '../context.ts';
import { exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { atOnce } from '../objects/find-objects.ts';
import type { Matches } from '../../shared/domain/pattern.ts';
import { isWithoutFile } from './compare.ts';
import { syncTexts as texts } from './texts.ts';

export interface PruneOptions {
  /** The folder of the list, '' for all. */
  readonly to: string;
  /**
   * Reads the folder: the identifiers of all its files, also of those that cannot be uploaded. `notRead`: it is empty or partly
   * unreadable, so that a missing file proves nothing. `settling`: some files are still to be stored.
   */
  readonly readIdentifiers: () => Promise<ReadonlySet<string> | 'notRead' | 'settling'>;
  /** Of `--include` and `--exclude`; takes paths below the folder, with `/`. */
  readonly isWanted: Matches;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Called before something is deleted. */
  readonly onWork: (() => void) | undefined;
}

/** Deletes objects, with all their versions, that no longer have a file, after naming them and asking. */
export async function prune(
  context: Context,
  service: Service,
  { to, readIdentifiers, isWanted, yes, dryRun, onWork }: PruneOptions,
): Promise<{ deleted: number; requested?: number; code: ExitCode }> {
  const { output } = context;
  const isSurplus = (identifiers: ReadonlySet<string>) => (row: ListedObject) =>
    isWithoutFile(row, identifiers, service, to, isWanted);
  const refuse = (why: 'notRead' | 'settling') => {
    if (why === 'settling') return { deleted: 0, code: exitCodes.done };
    output.error(texts.notRead);
    return { deleted: 0, code: exitCodes.error };
  };
  const before = await readIdentifiers();
  if (typeof before === 'string') return refuse(before);
  const withoutFile = (await readBelow(context, service, to)).filter(isSurplus(before));
  // Never delete because of a claim: an imported list may contain other people's objects.
  const surplus = withoutFile.filter((row) => !isClaimed(row, 'presence'));
  const unseen = withoutFile.length - surplus.length;
  if (unseen > 0) output.say(texts.unseenStay({ count: unseen }));
  for (const { identifier } of surplus)
    output.result((dryRun ? texts.wouldDelete : texts.deletes)({ identifier }), { action: 'rm', identifier });
  if (surplus.length === 0 || dryRun) return { deleted: 0, code: exitCodes.done };
  // The question comes after the names.
  await output.flushed();
  if (!yes && !(await agreesToDelete(context, surplus.length, service)))
    return { deleted: 0, code: exitCodes.error };
  // Read again: the person may have taken long to answer.
  const now = await readIdentifiers();
  if (typeof now === 'string') return refuse(now);
  const unchanged = (await stillAsListed(context, service, surplus)).filter(isSurplus(now));
  let [deleted, requested] = [0, 0];
  const codes: ExitCode[] = [];
  if (unchanged.length > 0) onWork?.();
  for (let from = 0; from < unchanged.length; from += selectionIdsMax) {
    const batch = unchanged.slice(from, from + selectionIdsMax);
    const count = (done: Deletions) => {
      deleted += done.deleted;
      requested += done.requested;
    };
    codes.push(await deleteObjects(context, batch, count));
  }
  return { deleted, requested, code: exitCodeOfAll(codes) };
}

/** The objects that have not been stored again since. */
async function stillAsListed(
  { coffer }: Context,
  { id: serviceId }: Service,
  rows: readonly ListedObject[],
): Promise<ListedObject[]> {
  const left: ListedObject[] = [];
  for (let from = 0; from < rows.length; from += atOnce) {
    const batch = rows.slice(from, from + atOnce);
    const identifiers = batch.map(({ identifier }) => identifier);
    const { objects } = await coffer.call('command.find', { serviceId, kind: 'data', identifiers });
    batch.forEach((row, index) => {
      const now = objects[index];
      if (now?.id === row.id && now.storedAtMs === row.storedAtMs && now.sha256 === row.sha256)
        left.push(row);
    });
  }
  return left;
}

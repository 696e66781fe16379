import { isSeenUntouched } from '../../main/local-files/file-state.ts';
import { errorLine } from '../errors/error-line.ts';
import { readBelow, withoutEnd } from '../objects/choose-objects.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import type { CommandIo } from '../terminal/io.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { findFilesIn, type FoundFiles, type LocalFile } from '../files/find-files.ts';
import { compileNarrowing, type Narrowing } from '../files/patterns.ts';
import { sayProblems, sendFiles, type SendOptions } from '../transfers/send-files.ts';
import { selectionTexts } from '../files/selection-texts.ts';
import { compareWithList, identifiersBelow, type Comparison, type KnownDigests } from '../sync/compare.ts';
import { Absences, type Scan } from '../sync/absences.ts';
import type { MaxDelete } from '../sync/max-delete.ts';
import { prune } from '../sync/prune.ts';
import { syncTexts as texts } from '../sync/texts.ts';
import { commandTexts } from '../texts.ts';

export interface SyncOptions extends Narrowing, Pick<SendOptions, 'classification' | 'deferred'> {
  readonly ifExists: 'newVersion' | 'replace' | 'skip';
  readonly delete?: true;
  readonly yes?: true;
  /** Also delete objects that have other versions. */
  readonly allVersions?: true;
  readonly maxDelete?: MaxDelete;
  /** In seconds: how long a file must be missing before its object is deleted. */
  readonly settle: number;
  readonly dryRun?: true;
  /** Print nothing if there was nothing to do. */
  readonly onlyChanges?: boolean;
  /** Leaves out files that are still changing. While there are any, nothing is deleted. */
  readonly isSettled?: (file: LocalFile) => boolean;
  /** Of the one who follows the folder. Omitted: the folder is read twice. */
  readonly absences?: Absences;
  /** What an earlier run has said about what stays. */
  readonly said?: { key: string };
  /** Digests kept between runs. */
  readonly known?: KnownDigests;
  /** Called before something is sent or deleted. */
  readonly onWork?: () => void;
}

/** `coffer sync DIR TO [--if-exists version|replace|skip] [--delete [--yes] [--max-delete N|P%] [--all-versions]] [--dry-run]` */
export function sync(directory: string, into: string, options: SyncOptions): Run {
  return async (context) => {
    const { io, output, hasList, interrupted } = context;
    const { delete: deletes = false, yes = false, dryRun = false, ifExists } = options;
    if (deletes && !hasList) throw new Usage(texts.needsList);
    if (deletes && !yes && !dryRun && !io.stdin.isTTY) throw new Usage(texts.needsYes);
    const service = await context.service();
    const { separator } = service;
    const to = withoutEnd(into, separator);
    const identifierOf = identifiersBelow(to, separator);
    const isWanted = compileNarrowing(options, '/');
    const read = () => scanFolder(io, () => findFilesIn(io, directory, options, interrupted));
    const [{ found, scan }, rows] = await Promise.all([
      read(),
      hasList ? readBelow(context, service, to) : [],
    ]);
    const { isSettled } = options;
    // Files with problems are reported at once, settled or not.
    const compared = found.files.filter(
      (file) => isWanted(file.relative) && (file.trouble !== null || (isSettled?.(file) ?? true)),
    );
    const comparison = await compareWithList(compared, rows, {
      naming: service,
      ifExists,
      identifierOf,
      known: options.known,
      signal: interrupted,
    });
    const codes = sayWhatIsLeftOut(context, comparison, found);
    const { unchanged, changed } = comparison;
    if (dryRun) sayWhatWouldBeStored(context, comparison);
    const sent = dryRun ? null : await send(context, comparison, options);
    if (sent && changed.length > 0) codes.push(sent.code);
    const isWhole = codes.every((code) => code === exitCodes.done);
    if (deletes && !isWhole) output.error(texts.notAllStored);
    const settleMs = options.settle * 1000;
    const absences = options.absences ?? new Absences({ settleMs, minScans: 2, isWanted });
    if (options.absences === undefined) absences.add(scan);
    const pruned =
      deletes && isWhole
        ? await prune(context, service, {
            directory,
            to,
            isWanted,
            absences,
            settle: options.absences === undefined ? { ms: settleMs, sinceMs: scan.endedMs } : null,
            yes,
            dryRun,
            allVersions: options.allVersions === true,
            maxDelete: options.maxDelete,
            said: options.said ?? { key: '' },
            onWork: options.onWork,
            async read() {
              const now = await read();
              const wanted = now.found.files.filter((file) => isWanted(file.relative));
              // A file that was not compared may be a renamed one.
              return isSettled && !areAmong(compared, wanted) ? 'settling' : now.scan;
            },
          })
        : { deleted: 0, requested: 0, kept: 0, code: exitCodes.done };
    if (dryRun) output.say(texts.wouldStore({ changed: changed.length, unchanged }));
    else if (sent) {
      const { stored, same } = sent;
      const failed = changed.length - stored - same + leftOut(comparison);
      const { deleted, requested, kept } = pruned;
      const sums = { stored, unchanged: unchanged + same, deleted };
      const sum = texts.summary(sums);
      const summary = requested === 0 ? sum : texts.summaryRequested({ summary: sum, requested });
      const words = failed === 0 ? summary : texts.summaryFailed({ summary, failed });
      if (!options.onlyChanges || stored + deleted + requested + failed > 0)
        output.result(words, { ...sums, requested, kept, failed });
    }
    if (isWhole) return pruned.code;
    const isSome = unchanged + (sent?.stored ?? 0) + (sent?.same ?? 0) > 0;
    return exitCodeOfAll(isSome ? [...codes, exitCodes.done] : codes);
  };
}

async function scanFolder(
  { clock }: CommandIo,
  find: () => Promise<FoundFiles>,
): Promise<{ found: FoundFiles; scan: Scan }> {
  const begunMs = clock.monotonicMs();
  const found = await find();
  const files = new Map(found.files.map(({ relative, trouble }) => [relative, trouble]));
  const { folders, unread } = found;
  return { found, scan: { files, folders, unread, begunMs, endedMs: clock.monotonicMs() } };
}

async function send(
  context: Context,
  { changed }: Comparison,
  { ifExists, classification, deferred, onWork }: SyncOptions,
): Promise<{ stored: number; same: number; code: ExitCode }> {
  const count = { stored: 0, same: 0 };
  if (changed.length === 0) return { ...count, code: exitCodes.done };
  onWork?.();
  const toSend = {
    paths: changed.map(({ path }) => path),
    identifiers: changed.map(({ identifier }) => identifier),
  };
  const code = await sendFiles(
    context,
    toSend,
    { ifExists, classification, deferred },
    {
      ended({ state, outcome }) {
        if (state !== 'done') return;
        if (outcome?.kind === 'skipped') count.same += 1;
        else count.stored += 1;
      },
    },
  );
  return { ...count, code };
}

function leftOut({ problems, versionNames, unreadable }: Comparison): number {
  return problems.length + versionNames.length + unreadable.length;
}

/** Prints why files are not compared. */
export function sayWhatIsLeftOut(
  context: Context,
  { problems, versionNames, unreadable }: Comparison,
  { refused }: FoundFiles,
): ExitCode[] {
  const { output } = context;
  const codes = sayProblems(context, { problems, problemCount: problems.length, refused });
  for (const { fileName, base } of versionNames) {
    output.error(texts.versionName({ fileName, base }));
    output.value({ fileName, problem: 'versionName' });
    codes.push(exitCodes.usage);
  }
  for (const { fileName, error } of unreadable) {
    output.error(commandTexts.failed({ identifier: fileName, text: errorLine(error) }));
    output.value({ fileName, problem: error.code });
    codes.push(exitCodeOf(error));
  }
  return codes;
}

function sayWhatWouldBeStored({ output }: Context, { changed }: Comparison): void {
  for (const { path, identifier } of changed)
    output.result(selectionTexts.wouldPut({ identifier, path }), { action: 'put', identifier, path });
}

/** Whether all of these files were among the others, in the same state. */
function areAmong(others: readonly LocalFile[], files: readonly LocalFile[]): boolean {
  const before = new Map(others.map((file) => [file.relative, file]));
  return files.every((file) => {
    const other = before.get(file.relative);
    return other !== undefined && isSeenUntouched(other, file);
  });
}

import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import { provenDigest } from '../../shared/domain/unverified.ts';
import type { Service } from '../../shared/domain/service.ts';
import type { Transfer } from '../../shared/domain/transfer.ts';
import { chooseObjects, type ChoiceOptions, type Chosen } from '../objects/choose-objects.ts';
import { formatSize } from '../../shared/i18n/format.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { atOnce, notThereWords } from '../objects/find-objects.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { followTransfers, type Following } from '../transfers/follow.ts';
import type { CommandIo } from '../terminal/io.ts';
import { transferJson } from '../terminal/json.ts';
import { checkOutputFile, checkOutputFolder, isStream, outputProblem } from '../files/output-path.ts';
import { readNames, type NamesFrom } from '../files/read-names.ts';
import { selectionTexts } from '../files/selection-texts.ts';
import { noSpaceIn } from '../files/temporary-folder.ts';
import { makeStreamFolder, sendFile } from '../files/streams.ts';
import { commandTexts as texts } from '../texts.ts';

export interface GetOptions extends Omit<ChoiceOptions, 'checksFurther'>, NamesFrom {
  /** A file, a folder, or `-` for standard output. */
  readonly output?: string;
  /** A folder. */
  readonly to?: string;
  /** Replace an existing file. */
  readonly force?: boolean;
  readonly deferred?: true;
  readonly dryRun?: true;
}

type Begin = (objectIds: number[], path: string, as: 'file' | 'replace' | 'folder') => Promise<number[]>;

/** `coffer get ID|FOLDER/|PATTERN… [-o PATH|- | --to FOLDER] [--force] [--deferred] [--dry-run]` */
export function get(words: readonly string[], options: GetOptions): Run {
  return async (context) => {
    const { io, coffer, output } = context;
    const { force = false, deferred, dryRun = false } = options;
    if (options.output !== undefined && options.to !== undefined) throw new Usage(selectionTexts.outputOrTo);
    const to = options.output ?? options.to ?? '.';
    if (to === '-' && options.to === undefined && output.isJson) throw new Usage(texts.jsonOrBytes);
    const isFolder = options.output === undefined || (to !== '-' && (await isDirectory(io, to)));
    const toStream = !isFolder && isStream(io, to) ? to : null;
    if (isFolder) checkOutputFolder(io, to);
    else if (toStream === null) checkOutputFile(io, to, force);
    const names = await readNames(context, words, options);
    if (names === null) return exitCodes.done;
    if (!isFolder && names.length > 1) throw new Usage(texts.oneIntoFile);
    const service = await context.service();
    // A deferred request says only minutes later, or never for sure, that there is no such object.
    const unseen = options.exact === true && !context.hasList && !deferred && !dryRun;
    const { chosen, codes: notFound } = await chooseObjects(context, service, names, {
      ...options,
      checksFurther: true,
      unseen,
    });
    if (!isFolder && chosen.length > 1) throw new Usage(texts.oneIntoFile);
    const [first] = chosen;
    if (!first) return exitCodeOfAll(notFound);
    if (dryRun) {
      await sayPlan(context, service, chosen, isFolder ? to : null, to);
      return exitCodeOfAll([exitCodes.done, ...notFound]);
    }
    const request = deferred ? 'deferred' : 'direct';
    const action = { id: crypto.randomUUID(), count: chosen.length };
    let leftOut = 0;
    const begin: Begin = async (objectIds, path, as) => {
      const [grant = ''] = await coffer.grant([path]);
      const { ids } = await coffer.call('command.get', { objectIds, grant, as, request, action });
      leftOut += objectIds.length - ids.length;
      return ids;
    };
    const absent = unseen ? await absentAt(context, service) : () => undefined;
    const code =
      toStream !== null
        ? await sendObject(context, first.id, begin, toStream, absent)
        : isFolder
          ? await saveIn(context, service, chosen, begin, to, absent)
          : await saveAs(context, first, begin, to, force, absent);
    if (leftOut > 0) output.error(texts.notBegun({ count: leftOut }));
    return exitCodeOfAll([code, ...notFound, ...(leftOut > 0 ? [exitCodes.error] : [])]);
  };
}

/** Says in the words of a look that an object which nobody has looked for is not there. */
async function absentAt(context: Context, { name: service }: Service): Promise<Following['ended']> {
  const notThere = await notThereWords(context);
  return ({ identifier, error }) => {
    if (error?.code !== 'missing') return undefined;
    context.output.error(notThere({ identifier, service }));
    return exitCodes.notFound;
  };
}

/** @param folder null: `to` is the file itself */
async function sayPlan(
  { output }: Context,
  { separator }: Service,
  chosen: readonly Chosen[],
  folder: string | null,
  to: string,
): Promise<void> {
  const { subfoldersOf } = await import('../../main/local-files/subfolders.ts');
  for (const { identifier, below } of chosen) {
    const folders = below === null ? [] : subfoldersOf(identifier, below, separator);
    const name = safeFileName(identifier.split(separator).at(-1) ?? '');
    const path = folder === null ? to : join(folder, ...folders, name);
    output.result(selectionTexts.wouldGet({ identifier, path }), { action: 'get', identifier, path });
  }
}

function saveAs(
  context: Context,
  { id }: Chosen,
  begin: Begin,
  to: string,
  force: boolean,
  absent: Following['ended'],
): Promise<ExitCode> {
  const full = context.io.resolve(to);
  const folder = { shown: to.includes('/') ? dirname(to) : '', full: dirname(full) };
  return begin([id], full, force ? 'replace' : 'file').then((ids) =>
    followSaved(context, ids, () => folder, absent, full),
  );
}

interface Folder {
  /** As the person wrote it; '' for the current folder. */
  readonly shown: string;
  readonly full: string;
}

/** Objects of a folder or pattern keep their folders, created here so that this command knows where each file is. */
async function saveIn(
  context: Context,
  { separator }: Service,
  chosen: readonly Chosen[],
  begin: Begin,
  to: string,
  absent: Following['ended'],
): Promise<ExitCode> {
  const { makeSubfolders, subfoldersOf } = await import('../../main/local-files/subfolders.ts');
  const top = context.io.resolve(to);
  const byFolder = Map.groupBy(chosen, ({ identifier, below }) =>
    below === null ? '' : subfoldersOf(identifier, below, separator).join('/'),
  );
  const folders = new Map<number, Folder>();
  const ids: number[] = [];
  for (const [below, objects] of byFolder) {
    const full = await makeSubfolders(top, below === '' ? [] : below.split('/'));
    const folder = { full, shown: join(to, full.slice(top.length)) };
    for (const { id } of objects) folders.set(id, folder);
    for (let from = 0; from < objects.length; from += atOnce) {
      const objectIds = objects.slice(from, from + atOnce).map(({ id }) => id);
      ids.push(...(await begin(objectIds, full, 'folder')));
    }
  }
  const folderOf = ({ objectId }: Transfer) => folders.get(objectId ?? 0) ?? { full: top, shown: to };
  return followSaved(context, ids, folderOf, absent);
}

/** @param wanted the path that was named, absolute; null: any free name in the folder is right */
async function followSaved(
  context: Context,
  ids: readonly number[],
  folderOf: (transfer: Transfer) => Folder,
  absent: Following['ended'],
  wanted: string | null = null,
): Promise<ExitCode> {
  const { output } = context;
  return followTransfers(context, ids, {
    ended(transfer) {
      const { identifier, state, outcome, error } = transfer;
      const folder = folderOf(transfer);
      const problem = state === 'failed' && error ? outputProblem(error, folder.shown || '.') : null;
      if (error && problem !== null) {
        output.error(texts.failed({ identifier, text: problem }));
        output.value(transferJson(transfer));
        return exitCodeOf(error);
      }
      if (state === 'done' && outcome?.kind === 'saved') {
        const { fileName } = outcome;
        const words = texts.saved({ identifier, fileName: join(folder.shown, fileName) });
        const path = join(folder.full, fileName);
        output.result(words, transferJson(transfer, path));
        if (wanted === null || path === wanted) return undefined;
        const beside = join(folder.shown, fileName);
        output.error(texts.savedBeside({ path: join(folder.shown, basename(wanted)), beside }));
        return exitCodes.exists;
      }
      return absent(transfer);
    },
  });
}

/**
 * Writes nothing before the whole object has been received and verified. The bytes take a detour over the disk, so compares
 * what was written with the digest in the list again.
 * @param to `-`, or a path with `isStream`
 */
async function sendObject(
  context: Context,
  objectId: number,
  begin: Begin,
  to: string,
  absent: Following['ended'],
): Promise<ExitCode> {
  const { io, coffer, output } = context;
  const folder = await makeStreamFolder(context);
  const path = join(folder.path, 'bytes');
  try {
    const ids = await begin([objectId], path, 'file');
    let saved: Transfer | null = null;
    let full: Transfer | null = null;
    const code = await followTransfers({ ...context, hasList: false }, ids, {
      ended(transfer) {
        saved = transfer;
        if (transfer.error?.code !== 'diskFull') return absent(transfer);
        full = transfer;
        return exitCodes.error;
      },
    });
    if (full) throw await noSpaceIn(dirname(folder.path), neededFor(full));
    if (code !== exitCodes.done) {
      // Cancel: nothing would read the file after this command.
      await coffer.call('transfers.cancel', { which: ids });
      return code;
    }
    await output.flushed();
    const sha256 = await sendFile(path, to, context);
    if (sha256 === null) return exitCodes.error;
    const { object } = await coffer.call('objects.get', { id: objectId });
    const expected = provenDigest(object);
    if (expected === null || expected === sha256) {
      if (to !== '-' && saved) {
        const words = texts.saved({ identifier: object.identifier, fileName: to });
        output.result(words, transferJson(saved, io.resolve(to)));
      }
      return exitCodes.done;
    }
    throw new AppFailure({ code: 'digestDiffers', expected, actual: sha256 });
  } finally {
    await folder.remove();
  }
}

function neededFor({ totalBytes, doneBytes }: Transfer): string {
  return totalBytes === null ? texts.moreThan({ size: formatSize(doneBytes) }) : formatSize(totalBytes);
}

async function isDirectory(io: CommandIo, path: string): Promise<boolean> {
  if (path.endsWith('/') || basename(path) === '.') return true;
  return stat(io.resolve(path)).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

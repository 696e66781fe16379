import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Transfer } from '../../shared/domain/transfer.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors.ts';
import { findStored } from '../find-objects.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../exit-code.ts';
import { followTransfers } from '../follow.ts';
import type { CommandIo } from '../io.ts';
import { transferJson } from '../json.ts';
import { checkOutputFile, checkOutputFolder, isStream, outputProblem } from '../output-path.ts';
import { makeStreamFolder, sendFile } from '../streams.ts';
import { commandTexts as texts } from '../texts.ts';

export interface GetOptions {
  /** A file, a folder, or `-` for standard output. */
  readonly output?: string;
  /** Replace an existing file. */
  readonly force?: boolean;
  readonly deferred?: true;
}

type Begin = (objectId: number, path: string | null) => Promise<number>;

/** `coffer get ID… [-o PATH|-] [--force] [--deferred]` */
export function get(
  identifiers: readonly string[],
  { output: to, force = false, deferred }: GetOptions,
): Run {
  return async (context) => {
    const { io, coffer, output } = context;
    if (to === '-' && output.isJson) throw new Usage(texts.jsonOrBytes);
    const request = deferred ? 'deferred' : 'direct';
    const isFolder = to !== undefined && to !== '-' && (await isDirectory(io, to));
    const toStream = to !== undefined && isStream(io, to) ? to : null;
    if (to !== undefined && !isFolder && identifiers.length > 1) throw new Usage(texts.oneIntoFile);
    if (isFolder) checkOutputFolder(io, to);
    else if (to !== undefined && toStream === null) checkOutputFile(io, to, force);
    const as = isFolder ? 'folder' : force ? 'replace' : 'file';
    const service = await context.service();
    const { rows, codes } = await findStored(context, service, identifiers);
    if (rows.length === 0) return exitCodeOfAll(codes);
    const begin: Begin = async (objectId, path) => {
      const [grant = null] = path === null ? [] : await coffer.grant([path]);
      return (await coffer.call('command.get', { objectId, grant, as, request })).id;
    };
    const [first] = rows;
    let code: ExitCode;
    if (toStream !== null && first) code = await sendObject(context, first.id, begin, toStream);
    else {
      const ids: number[] = [];
      for (const { id } of rows) ids.push(await begin(id, to === undefined ? null : resolve(io.cwd, to)));
      const folder =
        to === undefined ? service.downloadFolderLabel : isFolder ? to : dirname(resolve(io.cwd, to));
      code = await followTransfers(context, ids, {
        ended(transfer) {
          const { identifier, state, outcome, error } = transfer;
          const problem = state === 'failed' && error ? outputProblem(error, folder) : null;
          if (error && problem !== null) {
            output.error(texts.failed({ identifier, text: problem }));
            output.value(transferJson(transfer));
            return exitCodeOf(error);
          }
          if (state === 'done' && outcome?.kind === 'saved')
            output.result(texts.saved({ identifier, fileName: outcome.fileName }), transferJson(transfer));
          return undefined;
        },
      });
    }
    return exitCodeOfAll([code, ...codes]);
  };
}

/**
 * Writes nothing before the whole object has arrived and been verified. The bytes pass over the disk, so what was written is compared
 * with the digest of the list once more.
 * @param to `-`, or a path with `isStream`
 */
async function sendObject(context: Context, objectId: number, begin: Begin, to: string): Promise<ExitCode> {
  const { coffer, output } = context;
  const folder = await makeStreamFolder(context);
  const path = join(folder.path, 'bytes');
  try {
    const id = await begin(objectId, path);
    let saved: Transfer | null = null;
    const code = await followTransfers({ ...context, hasList: false }, [id], {
      ended(transfer) {
        saved = transfer;
        return undefined;
      },
    });
    if (code !== exitCodes.done) {
      // Nothing would read the file after this command.
      await coffer.call('transfers.cancel', { which: [id] });
      return code;
    }
    await output.flushed();
    const sha256 = await sendFile(path, to, context);
    if (sha256 === null) return exitCodes.error;
    const { object } = await coffer.call('objects.get', { id: objectId });
    if (object.sha256 === null || object.sha256 === sha256) {
      if (to !== '-' && saved)
        output.result(texts.saved({ identifier: object.identifier, fileName: to }), transferJson(saved));
      return exitCodes.done;
    }
    throw new AppFailure({ code: 'digestDiffers', expected: object.sha256, actual: sha256 });
  } finally {
    await folder.remove();
  }
}

async function isDirectory({ cwd }: CommandIo, path: string): Promise<boolean> {
  if (path.endsWith('/') || basename(path) === '.') return true;
  return stat(resolve(cwd, path)).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

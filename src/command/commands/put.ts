import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import type { NamesFrom } from '../files/read-names.ts';
import { readNames } from '../files/read-names.ts';
import { hasWildcard, type Narrowing } from '../files/patterns.ts';
import { selectionTexts } from '../files/selection-texts.ts';
import { sendFiles, type SendOptions } from '../transfers/send-files.ts';
import { keepInput, makeStreamFolder } from '../files/streams.ts';
import { commandTexts as texts } from '../texts.ts';

export interface PutOptions extends SendOptions, Narrowing, NamesFrom {
  readonly dryRun?: true;
}

/** `coffer put FILE|FOLDER|PATTERN… [--as ID | --to FOLDER] [--classification C] [--deferred] [--if-exists …] [--dry-run]` */
export function put(words: readonly string[], options: PutOptions): Run {
  return async (context) => {
    const { io } = context;
    const { as, filesFrom, dryRun = false, include = [], exclude = [] } = options;
    if (as !== undefined && (options.to !== undefined || words.length > 1 || filesFrom !== undefined))
      throw new Usage(texts.asIsForOne);
    if (words.includes('-') && as === undefined) throw new Usage(texts.stdinNeedsAs);
    const names = await readNames(context, words, options);
    if (names === null) return exitCodes.done;
    const [first = ''] = names;
    const stream = names.length === 1 && (await isStream(context, first)) ? first : null;
    if (stream !== null && as !== undefined && !dryRun) return putStream(context, stream, as, options);
    if (stream !== null && as === undefined) throw new Usage(selectionTexts.streamNeedsAs({ path: stream }));
    const isChosen = dryRun || include.length + exclude.length > 0 || names.some(hasWildcard);
    if (!isChosen) return sendFiles(context, { paths: names.map((name) => io.resolve(name)) }, options);
    const { nameFiles } = await import('../transfers/name-files.ts');
    const { named, codes } = await nameFiles(context, await context.service(), names, options);
    if (dryRun)
      for (const { path, identifier } of named)
        context.output.result(selectionTexts.wouldPut({ identifier, path }), {
          action: 'put',
          identifier,
          path,
        });
    if (named.length + codes.length === 0) context.output.say(selectionTexts.nothingLeft);
    if (dryRun || named.length === 0)
      return exitCodeOfAll(named.length > 0 ? [exitCodes.done, ...codes] : codes);
    const toSend = {
      paths: named.map(({ path }) => path),
      identifiers: named.map(({ identifier }) => identifier),
    };
    return exitCodeOfAll([await sendFiles(context, toSend, options), ...codes]);
  };
}

/** Whether it is `-` or leads to a FIFO, as from process substitution: `coffer put <(pg_dump shop) --as shop`. */
async function isStream({ io }: Context, name: string): Promise<boolean> {
  if (name === '-') return true;
  return stat(io.resolve(name)).then(
    (found) => found.isFIFO(),
    () => false,
  );
}

/** Writes a stream to disk before sending, since a retry has to read it again. */
async function putStream(
  context: Context,
  from: string,
  as: string,
  options: SendOptions,
): Promise<ExitCode> {
  const { io, output, interrupted } = context;
  // Fails early if there is no service: the stream may be large.
  const { separator } = await context.service();
  const folder = await makeStreamFolder(context);
  let isNeeded = false;
  try {
    const path = join(folder.path, safeFileName(as.split(separator).at(-1) || 'stdin'));
    if (from === '-' && io.stdin.isTTY) output.say(texts.stdinIsTerminal);
    const sha256 = await keepInput(io, from, path, interrupted);
    return await sendFiles(context, { paths: [path] }, options, {
      sha256,
      begun() {
        isNeeded = context.hasList;
      },
      // A failed upload may be retried in the app, which needs the file.
      ended: ({ state }) => (isNeeded &&= state === 'failed'),
    });
  } finally {
    if (!isNeeded) await folder.remove();
  }
}

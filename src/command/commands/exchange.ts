import { basename, dirname, extname, join } from 'node:path';
import { rm } from 'node:fs/promises';
import { inodeAt, placeUnderFreeName } from '../../main/local-files/publish-file.ts';
import { newTemporaryName } from '../../main/local-files/target.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { ImportProblem, Input, Output } from '../../shared/contract.ts';
import type { Run } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { checkOutputFile, checkSavedPath, isStream, outputFailure } from '../files/output-path.ts';
import { createStrictDecoder } from '../../main/lib/decode-text.ts';
import { keepInput, makeStreamFolder, sendFile } from '../files/streams.ts';
import { commandTexts as texts } from '../texts.ts';

export type ListFormat = 'jsonl' | 'csv';

function formatOf(path: string, given: ListFormat | undefined): ListFormat {
  if (given !== undefined) return given;
  const extension = extname(path).toLowerCase();
  if (extension === '.csv') return 'csv';
  if (path === '-' || extension === '.jsonl') return 'jsonl';
  throw new Usage(texts.whichFormat);
}

/** `coffer export FILE|- [--format jsonl|csv] [--force]`: exports the list of a service. */
export function exportList(
  to: string,
  { format: given, force = false }: { format?: ListFormat; force?: boolean },
): Run {
  return async (context) => {
    const { io, coffer, output } = context;
    const format = formatOf(to, given);
    const intoStream = isStream(io, to);
    if (!intoStream) checkOutputFile(io, to, force);
    const { id: serviceId } = await context.service();
    const write = async (path: string) => {
      const [grant = ''] = await coffer.grant([path]);
      return coffer.call('command.export', { serviceId, format, grant });
    };
    if (!intoStream) {
      const full = io.resolve(to);
      const { count, path } = await (force ? replace : writeBeside)(full, write).catch((cause: unknown) => {
        throw outputFailure(cause, dirname(full));
      });
      checkSavedPath(to, full, path);
      output.result(texts.exported({ count, fileName: basename(to) }), { fileName: basename(to), count });
      return exitCodes.done;
    }
    const folder = await makeStreamFolder(context);
    try {
      const path = join(folder.path, `list.${format}`);
      const { count } = await write(path);
      await sendFile(path, to, context);
      if (to !== '-') output.result(texts.exported({ count, fileName: to }), { fileName: to, count });
      return exitCodes.done;
    } finally {
      await folder.remove();
    }
  };
}

type Write = (path: string) => Promise<Output<'command.export'>>;

const replace = async (path: string, write: Write) => ({ ...(await write(path)), path });

/** Writes a file under a free name: its own, unless something else has taken that meanwhile. */
async function writeBeside(wanted: string, write: Write) {
  const [folder, name] = [dirname(wanted), basename(wanted)];
  const temporary = join(folder, newTemporaryName(name));
  try {
    const { count } = await write(temporary);
    const inode = await inodeAt(temporary);
    if (inode === null) throw new AppFailure({ code: 'partGone', fileName: name });
    const { path } = await placeUnderFreeName(temporary, inode, folder, name);
    return { count, path };
  } finally {
    await rm(temporary, { force: true });
  }
}

/** `coffer import FILE|- [--format jsonl|csv] [--encoding NAME]`. By default the file name determines the format. */
export function importList(
  from: string,
  { format: given, encoding }: { format?: ListFormat; encoding?: string },
): Run {
  return async (context) => {
    const { io, coffer, output, interrupted } = context;
    if (encoding !== undefined && !isEncoding(encoding)) throw new Usage(texts.unknownEncoding({ encoding }));
    const { id: serviceId } = await context.service();
    let importId: Input<'objects.cancelImport'>['id'] | null = null;
    // Lines read so far stay in the list; the report has their number.
    const stop = () => {
      if (importId === null) return;
      // The import may end first, and with it the connection.
      coffer.call('objects.cancelImport', { id: importId }).catch(() => undefined);
    };
    interrupted.addEventListener('abort', stop);
    await coffer.follow('objects.importProgress', ({ id, doneBytes, totalBytes, lines, serviceId: of }) => {
      if (of !== serviceId) return;
      output.progress(texts.importing({ lines }), totalBytes === 0 ? 0 : doneBytes / totalBytes);
      importId = id;
      if (interrupted.aborted) stop();
    });
    const read = async (path: string) => {
      const [grant = ''] = await coffer.grant([path]);
      return coffer.call('command.import', { serviceId, grant, ...(encoding !== undefined && { encoding }) });
    };
    const folder = from === '-' ? await makeStreamFolder(context) : null;
    try {
      const path = folder ? join(folder.path, `list.${formatOf(from, given)}`) : io.resolve(from);
      if (folder) await keepInput(io, '-', path, interrupted);
      const report = await read(path);
      output.progress(null);
      const { added, merged, unchanged, skipped, separator, problems, problemLines } = report;
      if (separator === ';') output.say(texts.importSemicolons);
      if (separator === '\t') output.say(texts.importTabs);
      output.result(texts.imported({ added, merged, unchanged, skipped }), {
        added,
        merged,
        unchanged,
        skipped,
        separator,
        problems: problems.map(({ line, problem }) => ({ line, problem: problem.code })),
      });
      for (const { line, problem } of problems)
        output.error(texts.importLine({ line, why: whyLeftOut(problem) }));
      const more = problemLines - problems.length;
      if (more > 0) output.error(texts.importMore({ count: more }));
      if (report.isCancelled === true) {
        output.error(texts.importStopped);
        return exitCodes.interrupted;
      }
      if (skipped === 0) return exitCodes.done;
      return added + merged + unchanged > 0 ? exitCodes.someFailed : exitCodes.error;
    } finally {
      await folder?.remove();
    }
  };
}

function isEncoding(name: string): boolean {
  try {
    createStrictDecoder(name);
    return true;
  } catch {
    return false;
  }
}

function whyLeftOut(problem: ImportProblem): string {
  const words = texts.importProblem;
  if (problem.code === 'field') return words.field({ field: problem.field });
  if (problem.code === 'history') return words.history({ count: problem.entries });
  return words[problem.code];
}

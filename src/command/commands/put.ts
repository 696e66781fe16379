import { basename, join, resolve } from 'node:path';
import type { Output as Answer } from '../../shared/contract.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { safeFileName } from '../../shared/domain/file-name.ts';
import type { Answer as ToExisting, RequestKind } from '../../shared/domain/service.ts';
import { isFinished, type Transfer } from '../../shared/domain/transfer.ts';
import { errorMessages } from '../../shared/i18n/error-messages.ts';
import { formatSize } from '../../shared/i18n/format.ts';
import { errorLine } from '../error-line.ts';
import { ask } from '../ask.ts';
import type { Context, Run } from '../context.ts';
import { Usage } from '../errors.ts';
import { atOnce } from '../find-objects.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../exit-code.ts';
import { followTransfers } from '../follow.ts';
import { transferJson } from '../json.ts';
import { keepStandardInput, makeStreamFolder } from '../streams.ts';
import { commandTexts as texts } from '../texts.ts';

export interface PutOptions {
  readonly as?: string;
  readonly to?: string;
  readonly class?: string;
  readonly deferred?: true;
  readonly ifExists: 'ask' | 'fail' | ToExisting;
}

/** `coffer put FILE… [--as ID | --to FOLDER] [--class C] [--deferred] [--if-exists …]` */
export function put(files: readonly string[], options: PutOptions): Run {
  return async (context) => {
    if (options.as !== undefined && (options.to !== undefined || files.length > 1))
      throw new Usage(texts.asIsForOne);
    if (!files.includes('-'))
      return send(
        context,
        files.map((file) => resolve(context.io.cwd, file)),
        options,
      );
    if (options.as === undefined) throw new Usage(texts.stdinNeedsAs);
    return putStandardInput(context, options.as, options);
  };
}

/** Stores standard input on the disk before sending, since a retry has to read it again. */
async function putStandardInput(context: Context, as: string, options: PutOptions): Promise<ExitCode> {
  const { io, output, interrupted } = context;
  // Fails early if there is no service: standard input may be large.
  const { separator } = await context.service();
  const folder = await makeStreamFolder(context);
  let isNeeded = false;
  try {
    const path = join(folder.path, safeFileName(as.split(separator).at(-1) || 'stdin'));
    if (io.stdin.isTTY) output.say(texts.stdinIsTerminal);
    const sha256 = await keepStandardInput(io, path, interrupted);
    return await send(context, [path], options, {
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

interface Stream {
  readonly sha256: string;
  readonly begun: () => void;
  readonly ended: (transfer: Transfer) => void;
}

async function send(
  context: Context,
  paths: readonly string[],
  options: PutOptions,
  stream?: Stream,
): Promise<ExitCode> {
  const answer = await begin(context, paths, options);
  if (answer.ids.length > 0) stream?.begun();
  const problems = sayProblems(context, answer);
  const code = await followUploads(context, answer.ids, options.ifExists, stream);
  return exitCodeOfAll([...problems, ...(answer.ids.length > 0 ? [code] : [])]);
}

/** Waits for uploads to end, answers their conflicts, and prints what became of each. */
export async function followUploads(
  context: Context,
  ids: readonly number[],
  ifExists: PutOptions['ifExists'],
  stream?: Stream,
): Promise<ExitCode> {
  const { coffer, output } = context;
  const givenUp = new Set<number>();
  const answerConflict = createConflictAnswers(context, ifExists);
  return followTransfers(context, ids, {
    ended(transfer) {
      const { id, identifier, state, outcome } = transfer;
      if (isFinished(state)) stream?.ended(transfer);
      const json = { ...transferJson(transfer), ...(stream && { sha256: stream.sha256 }) };
      if (state === 'done') {
        const words =
          outcome?.kind !== 'skipped' ? texts.stored : outcome.isIdentical ? texts.same : texts.skipped;
        output.result(words({ identifier }), json);
      }
      if (state !== 'cancelled' || !givenUp.has(id)) return undefined;
      output.error(texts.existsAlready({ identifier }));
      output.value({ ...json, error: 'exists' });
      return exitCodes.exists;
    },
    async asks(transfer) {
      if (await answerConflict(transfer)) return true;
      // Its object is deleted, or another one by now: whoever can answer has to.
      if (transfer.replacing?.isOut) return false;
      givenUp.add(transfer.id);
      await coffer.call('transfers.cancel', { which: [transfer.id] });
      return true;
    },
  });
}

/** In several calls: a shell may pass more files than one call accepts. */
async function begin(
  context: Context,
  paths: readonly string[],
  options: PutOptions,
): Promise<Answer<'command.put'>> {
  const { coffer } = context;
  const { id: serviceId } = await context.service();
  const { ifExists } = options;
  const all: Answer<'command.put'> = { ids: [], problems: [], problemCount: 0, refused: [] };
  for (let from = 0; from < paths.length; from += atOnce) {
    const { ids, problems, problemCount, refused } = await coffer
      .call('command.put', {
        serviceId,
        grants: await coffer.grant(paths.slice(from, from + atOnce)),
        intoFolder: options.to ?? '',
        as: options.as ?? null,
        // '' means the default of the service.
        classification: options.class || null,
        classificationChosen: options.class !== undefined,
        ifExists: ifExists === 'fail' ? 'ask' : ifExists,
        request: (options.deferred ? 'deferred' : 'direct') satisfies RequestKind,
      })
      .catch((cause: unknown) => {
        const error = toAppError(cause);
        const isSeveral = error?.code === 'invalidInput' && error.problem === 'oneFileOnly';
        throw isSeveral ? new Usage(texts.oneFileOnly({ name: basename(paths[0] ?? '') })) : cause;
      });
    all.ids.push(...ids);
    all.problems.push(...problems);
    all.problemCount += problemCount;
    all.refused.push(...refused);
  }
  return all;
}

function sayProblems({ output }: Context, answer: Answer<'command.put'>): ExitCode[] {
  const codes: ExitCode[] = [];
  for (const { name, error } of answer.refused) {
    output.error(texts.failed({ identifier: name, text: errorLine(error) }));
    output.value({ fileName: basename(name), problem: error.code });
    codes.push(exitCodeOf(error));
  }
  for (const { fileName, problem } of answer.problems) {
    const code = problem?.code ?? 'unreadable';
    const why = problem?.code === 'badIdentifier' ? errorMessages.badIdentifier[problem.problem] : '';
    const limit = problem?.code === 'tooLarge' ? formatSize(problem.limitBytes) : '';
    output.error(texts.problem[code]({ fileName, why, limit }));
    output.value({ fileName, problem: code });
    codes.push(codesOfProblems[code] ?? exitCodes.error);
  }
  // Only the first of many problems are listed.
  const more = answer.problemCount - answer.problems.length;
  if (more > 0) output.error(texts.problemsMore({ count: more }));
  return more > 0 ? [...codes, exitCodes.error] : codes;
}

const codesOfProblems: Readonly<Record<string, ExitCode>> = {
  gone: exitCodes.notFound,
  badIdentifier: exitCodes.usage,
  sameIdentifier: exitCodes.usage,
  tooLarge: exitCodes.forbidden,
};

const letters: Readonly<Record<string, ToExisting>> = {
  v: 'newVersion',
  r: 'replace',
  k: 'keepBoth',
  s: 'skip',
};

/**
 * Asks on a terminal what to do with an upload whose identifier exists. Resolves with false without a terminal, unless `ifExists`
 * is `ask`, and without an answer: the caller must then cancel the upload, and the stored object stays.
 */
function createConflictAnswers({ io, coffer, interrupted }: Context, ifExists: PutOptions['ifExists']) {
  let forAll: ToExisting | undefined;
  return async function answerConflict({ id, identifier }: Transfer): Promise<boolean> {
    if (ifExists !== 'ask' || !io.stdin.isTTY) return false;
    let answer = forAll;
    while (!answer) {
      const typed = (await ask(io, texts.askExisting({ identifier }), interrupted))?.trim() ?? '';
      if (typed === '') return false;
      answer = letters[typed.slice(0, 1).toLowerCase()];
      if (/^[A-Z]/.test(typed)) forAll = answer;
    }
    await coffer
      .call('transfers.answer', { transferId: id, answer, applyToAll: false })
      .catch((cause: unknown) => {
        // Answered already, in the window for example.
        if (toAppError(cause)?.code !== 'notFound') throw cause;
      });
    return true;
  };
}

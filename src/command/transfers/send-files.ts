import { basename } from 'node:path';
import type { Output as Answer } from '../../shared/contract.ts';
import { toAppError } from '../../shared/app-failure.ts';
import type { Answer as ToExisting, RequestKind } from '../../shared/domain/service.ts';
import type { PlanProblem } from '../../shared/domain/upload-plan.ts';
import { isFinished, type Transfer } from '../../shared/domain/transfer.ts';
import { errorMessages } from '../../shared/i18n/error-messages.ts';
import { formatSize } from '../../shared/i18n/format.ts';
import { errorLine } from '../errors/error-line.ts';
import { ask } from '../terminal/ask.ts';
import type { Context } from '../context.ts';
import { Usage } from '../errors/errors.ts';
import { atOnce } from '../objects/find-objects.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import type { FoundFiles } from '../files/find-files.ts';
import { followTransfers } from './follow.ts';
import { transferJson } from '../terminal/json.ts';
import { commandTexts as texts } from '../texts.ts';

export interface SendOptions {
  readonly as?: string | undefined;
  readonly to?: string | undefined;
  readonly classification?: string | undefined;
  readonly deferred?: true | undefined;
  readonly ifExists: 'ask' | 'fail' | ToExisting;
}

/** Files and folders to upload. @param identifiers one for each path, all of them files; omitted: by the service's template */
export interface ToSend {
  readonly paths: readonly string[];
  readonly identifiers?: readonly string[];
}

export interface Sending {
  /** SHA-256 in hex, if the file holds a stream. */
  readonly sha256?: string;
  /** The uploads have been enqueued. */
  readonly begun?: () => void;
  readonly ended?: (transfer: Transfer) => void;
}

/** @param problemCount of all problems, also those not listed */
export interface Problems {
  readonly problems: readonly {
    readonly fileName: string;
    readonly problem: PlanProblem | { readonly code: Exclude<PlanProblem['code'], 'badIdentifier'> } | null;
  }[];
  readonly problemCount: number;
  readonly refused: FoundFiles['refused'];
}

/** Uploads files, waits until they have ended, and prints a line for each. @throws Usage */
export async function sendFiles(
  context: Context,
  toSend: ToSend,
  options: SendOptions,
  sending: Sending = {},
): Promise<ExitCode> {
  const answer = await begin(context, toSend, options);
  if (answer.ids.length > 0) sending.begun?.();
  const problems = sayProblems(context, answer);
  const code = await followUploads(context, answer.ids, options.ifExists, sending);
  return exitCodeOfAll([...problems, ...(answer.ids.length > 0 ? [code] : [])]);
}

/** Waits for uploads to end, answers their conflict prompts, and prints the result of each. */
export async function followUploads(
  context: Context,
  ids: readonly number[],
  ifExists: SendOptions['ifExists'],
  { sha256, ended }: Sending = {},
): Promise<ExitCode> {
  const { coffer, output } = context;
  const givenUp = new Set<number>();
  const answerConflict = createConflictAnswers(context, ifExists);
  return followTransfers(context, ids, {
    ended(transfer) {
      const { id, identifier, state, outcome } = transfer;
      if (isFinished(state)) ended?.(transfer);
      const json = { ...transferJson(transfer), ...(sha256 !== undefined && { sha256 }) };
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
      // Its object is already deleted, or another one by now: leave it to somebody who can answer.
      if (transfer.replacing?.isOut) return false;
      givenUp.add(transfer.id);
      await coffer.call('transfers.cancel', { which: [transfer.id] });
      return true;
    },
  });
}

/** Starts the uploads, in several calls: a shell may pass more files than one accepts. */
async function begin(
  context: Context,
  { paths, identifiers }: ToSend,
  options: SendOptions,
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
        as: identifiers ? null : (options.as ?? null),
        ...(identifiers && { identifiers: identifiers.slice(from, from + atOnce) }),
        // '' means the service's default.
        classification: options.classification || null,
        classificationChosen: options.classification !== undefined,
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

/** Prints why files are not uploaded. */
export function sayProblems({ output }: Pick<Context, 'output'>, answer: Problems): ExitCode[] {
  const codes: ExitCode[] = [];
  for (const { name, error } of answer.refused) {
    output.error(texts.failed({ identifier: name, text: errorLine(error) }));
    output.value({ fileName: basename(name), problem: error.code });
    codes.push(exitCodeOf(error));
  }
  for (const { fileName, problem } of answer.problems) {
    const code = problem?.code ?? 'unreadable';
    const why = problem?.code === 'badIdentifier' ? errorMessages.badIdentifier[problem.problem] : '';
    const limit =
      problem?.code === 'tooLarge' && 'limitBytes' in problem ? formatSize(problem.limitBytes) : '';
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
function createConflictAnswers({ io, coffer, interrupted }: Context, ifExists: SendOptions['ifExists']) {
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

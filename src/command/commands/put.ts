import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { Output as Answer } from '../../shared/contract.ts';
import type { Answer as ToExisting, RequestKind } from '../../shared/domain/profile.ts';
import type { Transfer } from '../../shared/domain/transfer.ts';
import { errorLine } from '../../shared/i18n/error-text.ts';
import { Usage, type Context, type Run } from '../context.ts';
import { exitCodeOfAll, exitCodes, type ExitCode } from '../exit-code.ts';
import { followTransfers } from '../follow.ts';
import { commandTexts as texts } from '../texts.ts';
import { transferJson } from './transfers.ts';

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
    const { coffer, output } = context;
    if (options.as !== undefined && (options.to !== undefined || files.length > 1))
      throw new Usage(texts.asIsForOne);
    const { id: profileId } = await context.service();
    const grants = await coffer.grant(files.map((file) => resolve(file)));
    const { ifExists } = options;
    const answer = await coffer.call('command.put', {
      profileId,
      grants,
      intoFolder: options.to ?? '',
      as: options.as ?? null,
      classification: options.class ?? null,
      ifExists: ifExists === 'fail' ? 'ask' : ifExists,
      request: (options.deferred ? 'deferred' : 'direct') satisfies RequestKind,
    });
    const problems = sayProblems(context, answer);
    const givenUp = new Set<number>();
    const code = await followTransfers(context, answer.ids, {
      ended(transfer) {
        const { id, identifier, state } = transfer;
        if (state === 'done') output.result(texts.stored({ identifier }), transferJson(transfer));
        if (state !== 'cancelled' || !givenUp.has(id)) return undefined;
        output.error(texts.existsAlready({ identifier }));
        return exitCodes.exists;
      },
      async asks(transfer) {
        if (await meetExisting(context, transfer, ifExists)) return;
        givenUp.add(transfer.id);
        await coffer.call('transfers.cancel', { which: [transfer.id] });
      },
    });
    const codes = [...problems, ...(answer.ids.length > 0 ? [code] : [])];
    return exitCodeOfAll(codes);
  };
}

function sayProblems({ output }: Context, answer: Answer<'command.put'>): ExitCode[] {
  for (const { name, error } of answer.refused)
    output.error(texts.failed({ identifier: name, text: errorLine(error) }));
  for (const { fileName, problem } of answer.problems)
    output.error(texts.problem[problem?.code ?? 'unreadable']({ fileName }));
  const count = answer.refused.length + answer.problemCount;
  return Array.from({ length: count }, () => exitCodes.error);
}

/** Asks on a terminal. false: without one, with `fail` and without an answer the upload is given up, and the stored object stays. */
async function meetExisting(
  { coffer }: Context,
  { id, identifier }: Transfer,
  ifExists: PutOptions['ifExists'],
): Promise<boolean> {
  const answer = ifExists === 'ask' && process.stdin.isTTY ? await ask(identifier) : null;
  if (answer === null) return false;
  await coffer.call('transfers.answer', { transferId: id, answer, applyToAll: false });
  return true;
}

const letters: Readonly<Record<string, ToExisting>> = {
  v: 'newVersion',
  r: 'replace',
  k: 'keepBoth',
  s: 'skip',
};

async function ask(identifier: string): Promise<ToExisting | null> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    for (;;) {
      const typed = (await lines.question(texts.askExisting({ identifier }))).trim().toLowerCase();
      if (typed === '') return null;
      const answer = letters[typed.slice(0, 1)];
      if (answer) return answer;
    }
  } finally {
    lines.close();
  }
}

import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import { proofFolder, type Claim } from '../../shared/domain/approval.ts';
import { legible } from '../../shared/domain/legible.ts';
import type { Service } from '../../shared/domain/service.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { AppError } from '../../shared/errors.ts';
import { errorLine } from '../../shared/i18n/error-text.ts';
import { chooseService, type Context } from '../context.ts';
import { NotRead, Usage } from '../errors.ts';
import { exitCodeOf, exitCodeOfAll, exitCodes, type ExitCode } from '../exit-code.ts';
import { unlessHeldUp } from '../held-up.ts';
import type { CommandIo } from '../io.ts';
import { openTerminal } from './terminal.ts';
import { secretTexts as texts } from './texts.ts';

/** One secret that a program is to get. */
export interface Wanted {
  /** Under which the program gets it. */
  readonly name: string;
  /** In words, for what goes wrong. */
  readonly place: string;
  readonly service: Service;
  readonly identifier: string;
}

/** So long it stays unsaid that somebody has to answer: an approval may be there already. */
const quietMs = 1000;

/**
 * The values, in the order asked for, all requested at once; approved by the window, or on the terminal where no app runs.
 * The caller overwrites them. @throws NotRead; AppFailure approvalRefused
 */
export async function readSecrets(
  context: Context,
  wanted: readonly Wanted[],
  program: string,
): Promise<Buffer[]> {
  const byService = Map.groupBy(wanted, ({ service }) => service.id);
  const answers = new Map<Wanted, { value: string } | { error: AppError }>();
  const ask = async (some: Wanted[]) => {
    const [first] = some;
    if (!first) return;
    const secrets = some.map(({ name, identifier }) => ({ name, identifier }));
    const { values } = await introduced(context, { some, program }, (ticket, claim) =>
      context.coffer.call('command.readSecrets', { ticket, claim, serviceId: first.service.id, secrets }),
    );
    some.forEach((one, index) => {
      const answer = values[index];
      if (answer) answers.set(one, answer);
    });
  };
  // One question after the other; the values of each come all at once.
  for (const some of byService.values()) await ask(some);
  const codes: ExitCode[] = [];
  const bytes = wanted.map((one) => {
    const answer = answers.get(one) ?? { error: { code: 'cancelled' } };
    if ('value' in answer) return Buffer.from(answer.value, 'base64');
    const { place } = one;
    context.output.error(texts.failed({ place, text: errorLine(answer.error) }));
    codes.push(exitCodeOf(answer.error));
    return Buffer.alloc(0);
  });
  if (codes.length === 0) return bytes;
  for (const value of bytes) value.fill(0);
  throw new NotRead(exitCodeOfAll(codes));
}

/** To the clipboard of the app. @throws AppFailure */
export async function copySecret(context: Context, one: Wanted, program: string): Promise<number | null> {
  const { service, identifier } = one;
  const { clearsAtMs } = await introduced(
    context,
    { some: [one], program, needsApp: true },
    (ticket, claim) =>
      context.coffer.call('command.copySecret', { ticket, claim, serviceId: service.id, identifier }),
  );
  return clearsAtMs;
}

interface Introduction {
  readonly some: readonly Wanted[];
  readonly program: string;
  readonly needsApp?: true;
}

async function introduced<T>(
  context: Context,
  { some, program, needsApp }: Introduction,
  ask: (ticket: string, claim: Claim) => Promise<T>,
): Promise<T> {
  const { io, coffer, output, dataFolder } = context;
  const { ticket, asks, proof } = await coffer.call('command.introduce', undefined);
  if (needsApp && asks !== 'window') throw new Usage(texts.copyNeedsApp, exitCodes.error);
  if (asks === 'terminal') await askHere(io, some, program);
  // Held open while it asks: that tells the app which process this is.
  const held = proof === null ? null : openSync(join(dataFolder, proofFolder, proof), 'r');
  const waiting = setTimeout(() => output.say(texts.waiting), quietMs);
  if (asks !== 'window') clearTimeout(waiting);
  try {
    // Of one service.
    return await unlessHeldUp(context, some[0]?.service.id ?? '', ask(ticket, claimOfThis(io)));
  } catch (cause) {
    await withdraw(coffer, ticket);
    throw cause;
  } finally {
    clearTimeout(waiting);
    if (held !== null) closeSync(held);
  }
}

async function withdraw(coffer: CofferClient, ticket: string): Promise<void> {
  // It may have ended itself.
  await coffer.call('command.withdraw', { ticket }).catch(() => undefined);
}

function claimOfThis({ pid, parentPid, args, cwd, stdin, stderr }: CommandIo): Claim {
  return {
    pid,
    parentPid,
    words: [...args],
    folder: cwd,
    // Not there at all where it is none.
    hasTerminal: Boolean(stdin.isTTY) || Boolean(stderr.isTTY),
  };
}

/** No app runs: this command itself asks, on its terminal. @throws AppFailure approvalRefused */
async function askHere(io: CommandIo, some: readonly Wanted[], program: string): Promise<void> {
  const terminal = openTerminal(io);
  if (!terminal) throw new AppFailure({ code: 'approvalRefused', reason: 'noTerminal' });
  try {
    const service = legible(some[0]?.service.name ?? '');
    const lines = [
      texts.asks({ program: legible(program), count: some.length, service }),
      ...some.map(({ name, identifier }) =>
        texts.askedSecret({ name: legible(name), identifier: legible(identifier) }),
      ),
      texts.allow,
    ];
    const answer = await terminal.ask(lines.join('\n'));
    if (!/^y(es)?$/i.test(answer.trim()))
      throw new AppFailure({ code: 'approvalRefused', reason: 'refused' });
  } finally {
    terminal.close();
  }
}

/**
 * The service that a reference names. On build machines there is one, which has no name of its own, and every reference means it.
 * @throws Usage
 */
export async function serviceFinder({ coffer, isKept }: Context): Promise<(name: string) => Service> {
  const known = await coffer.call('services.list', undefined);
  return (name) => chooseService(known, isKept ? name : undefined);
}

import { isHearsay } from '../../shared/domain/unverified.ts';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import { markProcess, type SecretsRequest, signRequest } from '../../main/agent/process-mark.ts';
import { createValueKey } from '../../main/agent/sealed-value.ts';
import { askMs, type StatedIdentity } from '../../shared/domain/approval.ts';
import { legible } from '../../shared/domain/legible.ts';
import type { Service } from '../../shared/domain/service.ts';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import type { Input } from '../../shared/contract.ts';
import type { AppError } from '../../shared/errors.ts';
import { chooseService, type Context } from '../context.ts';
import { errorLine } from '../errors/error-line.ts';
import { NotRead, Usage } from '../errors/errors.ts';
import { type ExitCode, exitCodeOf, exitCodeOfAll, exitCodes } from '../errors/exit-code.ts';
import { unlessHeldUp } from '../objects/task-end.ts';
import type { CommandIo } from '../terminal/io.ts';
import { secretTexts as texts } from './texts.ts';
import { openTerminal } from './terminal.ts';

/**
 * Says which newer versions of a service's secrets are not taken because nobody here has read them (`newestStored`): otherwise it would go
 * unnoticed that somebody else has renewed a secret.
 */
async function tellUnread(
  { coffer, output }: Pick<Context, 'coffer' | 'output'>,
  serviceId: string,
  identifiers: readonly string[],
): Promise<void> {
  const wanted = [...new Set(identifiers)];
  const { objects } = await coffer.call('command.find', {
    serviceId,
    kind: 'secret',
    identifiers: wanted,
    newest: true,
  });
  const told = new Set<string>();
  for (const [index, identifier] of wanted.entries()) {
    const row = objects[index];
    if (!row) continue;
    const { versions = [] } = await coffer.call('objects.get', { id: row.id });
    const number = versions.find(({ object }) => object.id === row.id)?.number ?? 1;
    // With a number, exactly that version is meant.
    if (number > 1 && row.identifier === identifier) continue;
    const newer = versions.find(
      (version) => version.number > number && version.object.state === 'stored' && isHearsay(version.object),
    )?.object.identifier;
    if (newer === undefined || told.has(newer)) continue;
    told.add(newer);
    output.say(texts.unread({ identifier, newer }));
  }
}

/** A secret that is requested for a program. */
export interface Wanted {
  /** The name by which the program gets the value. */
  readonly name: string;
  /** Where it was requested, in words, for error messages. */
  readonly place: string;
  readonly service: Service;
  readonly identifier: string;
}

/** Delay of the message that an approval is needed, in ms: it may have been given already. */
const quietMs = 1000;
/** How often to ask again while other requests of this terminal or program wait for their answers, in ms. */
const againMs = 500;

/** For a command that reads values: another one gives none out, so it waits until that has ended. @throws Usage */
export async function forValues(context: Context): Promise<Context> {
  if (context.doneBy !== 'otherCommand') return context;
  const { io, output } = context;
  const opened = new AbortController();
  io.clock.delay(quietMs, opened.signal).then(
    () => output.say(texts.waitsForOther),
    () => undefined, // it has ended
  );
  return context.withoutOther().finally(() => opened.abort());
}

/**
 * Reads the values, in the order of `wanted`, after approval in the window, or on the terminal if no app runs. The caller must
 * overwrite the buffers after use. @throws NotRead; AppFailure approvalRefused
 */
export async function readSecrets(
  context: Context,
  wanted: readonly Wanted[],
  program: string,
): Promise<Buffer[]> {
  const byService = Map.groupBy(wanted, ({ service }) => service.id);
  if (context.hasList)
    for (const [serviceId, some] of byService) {
      const identifiers = some.map(({ identifier }) => identifier);
      await tellUnread(context, serviceId, identifiers);
    }
  const answers = new Map<Wanted, { value: Buffer } | { error: AppError }>();
  const ask = async (some: Wanted[]) => {
    const [first] = some;
    if (!first) return;
    const { publicKey: key, open } = createValueKey();
    const { values } = await introduced(context, { some, program, key }, ({ serviceId, secrets }, asking) =>
      context.coffer.call('command.readSecrets', { ...asking, key, serviceId, secrets }),
    );
    some.forEach((one, index) => {
      const answer = values[index];
      if (answer) answers.set(one, 'sealed' in answer ? { value: open(answer.sealed) } : answer);
    });
  };
  // One approval request per service, one after the other.
  for (const some of byService.values()) await ask(some);
  const codes: ExitCode[] = [];
  const bytes = wanted.map((one) => {
    const answer = answers.get(one) ?? { error: { code: 'cancelled' } };
    if ('value' in answer) return answer.value;
    const { place, service } = one;
    const text =
      answer.error.code === 'missing' ? texts.notThere({ service: service.name }) : errorLine(answer.error);
    context.output.error(texts.failed({ place, text }));
    codes.push(exitCodeOf(answer.error));
    return Buffer.alloc(0);
  });
  if (codes.length === 0) return bytes;
  for (const value of bytes) value.fill(0);
  throw new NotRead(exitCodeOfAll(codes));
}

/** Copies to the clipboard. Returns the time at which it is cleared, in ms since 1970. @throws AppFailure */
export async function copySecret(context: Context, one: Wanted, program: string): Promise<number | null> {
  const { service, identifier } = one;
  const wanted = [{ ...one, name: identifier }];
  const { clearsAtMs } = await introduced(
    context,
    { some: wanted, program, key: null },
    ({ serviceId }, asking) =>
      context.coffer.call('command.copySecret', { ...asking, serviceId, identifier }),
  ).catch((cause: unknown) => {
    if (toAppError(cause)?.code !== 'missing') throw cause;
    const text = texts.notThere({ service: service.name });
    throw new Usage(texts.failed({ place: one.place, text }), exitCodes.notFound);
  });
  return clearsAtMs;
}

/** `some`: all of one service. */
interface Introduction extends Pick<SecretsRequest, 'key'> {
  readonly some: readonly Wanted[];
  readonly program: string;
}

type Asking = Pick<Input<'command.readSecrets'>, 'ticket' | 'signed' | 'statedIdentity' | 'absentMs'>;
type AskFor<T> = (request: SecretsRequest, asking: Asking) => Promise<T>;

/** Of several commands at once, as by `make -j`, those beyond the app's limit take their turn, as long as the app would wait. */
async function introduced<T>(context: Context, introduction: Introduction, ask: AskFor<T>): Promise<T> {
  const { clock } = context.io;
  const untilMs = clock.monotonicMs() + askMs;
  for (;;) {
    try {
      return await introducedOnce(context, introduction, ask);
    } catch (cause) {
      const error = toAppError(cause);
      const isTurn = error?.code === 'approvalRefused' && error.reason === 'tooMany';
      if (!isTurn || clock.monotonicMs() >= untilMs) throw cause;
      await clock.delay(againMs, context.interrupted);
    }
  }
}

async function introducedOnce<T>(
  context: Context,
  { some, program, key }: Introduction,
  ask: AskFor<T>,
): Promise<T> {
  const { io, coffer, output, absentMs } = context;
  const { ticket, asks } = await coffer.call('command.introduce', undefined);
  if (asks === 'terminal') await askHere(context, some, program);
  const secrets = some.map(({ name, identifier }) => ({ name, identifier }));
  const request = { ticket, key, serviceId: some[0]?.service.id ?? '', secrets };
  if (asks === 'window' && io.platform === 'linux') markProcess();
  const answered = new AbortController();
  if (asks === 'window')
    io.clock.delay(quietMs, answered.signal).then(
      () => output.say(texts.waiting),
      () => undefined, // it was answered
    );
  try {
    const asking = { ticket, signed: signRequest(request), statedIdentity: identityOfThis(io), absentMs };
    return await unlessHeldUp(context, request.serviceId, ask(request, asking));
  } catch (cause) {
    await withdraw(coffer, ticket);
    throw cause;
  } finally {
    answered.abort();
  }
}

async function withdraw(coffer: CofferClient, ticket: string): Promise<void> {
  // The request may have ended already.
  await coffer.call('command.withdraw', { ticket }).catch(() => undefined);
}

function identityOfThis({ pid, args, cwd, stdin, stderr }: CommandIo): StatedIdentity {
  return {
    pid,
    words: [...args],
    folder: cwd ?? '/',
    // `isTTY` is undefined without a terminal.
    hasTerminal: Boolean(stdin.isTTY) || Boolean(stderr.isTTY),
  };
}

/** Asks for the approval on the terminal, if no app runs, by the versions that are meant. @throws AppFailure approvalRefused */
async function askHere(
  { io, coffer }: Pick<Context, 'io' | 'coffer'>,
  some: readonly Wanted[],
  program: string,
): Promise<void> {
  const terminal = openTerminal(io);
  if (!terminal) throw new AppFailure({ code: 'approvalRefused', reason: 'noTerminal' });
  try {
    const service = legible(some[0]?.service.name ?? '');
    const identifiers = some.map(({ identifier }) => identifier);
    const { objects } = await coffer.call('command.find', {
      serviceId: some[0]?.service.id ?? '',
      kind: 'secret',
      identifiers,
      newest: true,
    });
    const lines = [
      texts.asks({ program: legible(program), count: some.length, service }),
      ...some.map(({ name, identifier }, index) =>
        texts.askedSecret({
          name: legible(name),
          identifier: legible(objects[index]?.identifier ?? identifier),
        }),
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
 * Finds the service of a reference by its name. Without a stored list every reference means the only service, which has no name.
 * @throws Usage
 */
export async function serviceFinder({ coffer, hasList }: Context): Promise<(name: string) => Service> {
  const known = await coffer.call('services.list', undefined);
  return (name) => chooseService(known, hasList ? name : undefined);
}

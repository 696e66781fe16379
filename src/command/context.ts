import type { CofferClient } from '../main/agent/agent-client.ts';
import type { ObjectRow, Output as Answer } from '../shared/contract.ts';
import type { ObjectKind } from '../shared/domain/object.ts';
import type { Profile } from '../shared/domain/profile.ts';
import { AppFailure } from '../shared/app-failure.ts';
import { exitCodeOf, exitCodes, type ExitCode } from './exit-code.ts';
import type { DoneBy } from './open-coffer.ts';
import type { Output } from './output.ts';
import { commandTexts as texts } from './texts.ts';

/** What a command works with. */
export interface Context {
  readonly coffer: CofferClient;
  readonly output: Output;
  /** false: the list is in memory and goes with the command. */
  readonly isKept: boolean;
  /** The app goes on with it when the command has ended; a command takes what is left with it. */
  readonly doneBy: DoneBy;
  /** Aborted when the app starts, and waits for the data folder: what has begun goes on there. */
  readonly makeWay: AbortSignal;
  /** Of the app's user data. */
  readonly dataFolder: string;
  /** Aborted by Ctrl+C, or when the system asks the command to end. */
  readonly interrupted: AbortSignal;
  /** From here on signals are for somebody else: `interrupted` tells of none any more. */
  readonly leaveSignals: () => void;
  /** So long a service that is away is waited for. */
  readonly waitMs: number;
  /** The service that is meant. @throws Usage */
  service(): Promise<Profile>;
}

/** A command: what it answers to the one who started it; `coffer run` answers what its program did. */
export type Run = (context: Context) => Promise<number>;

/** A command that asks nothing of Coffer, or opens it itself. */
export type RunAlone = (
  context: Pick<Context, 'output' | 'dataFolder' | 'interrupted' | 'leaveSignals'> & {
    readonly environment: NodeJS.ProcessEnv;
    /** Of this command. */
    readonly version: string;
  },
) => Promise<number>;

/** What was asked for cannot be; said in words, with what to do instead. */
export class Usage extends Error {
  override readonly name = 'Usage';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Some of what is needed cannot be had; each has been said. */
export class NotRead extends Error {
  override readonly name = 'NotRead';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode) {
    super('not read');
    this.exitCode = exitCode;
  }
}

/** The service refuses the token, or was away for too long; the message says which. */
export class HeldUp extends Error {
  override readonly name = 'HeldUp';
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** @param name as given with `--service`; without: the one there is, or the one the app shows */
export function chooseService({ profiles, activeId }: Answer<'profiles.list'>, name?: string): Profile {
  if (profiles.length === 0) throw new Usage(texts.noService, exitCodes.notFound);
  const known = profiles.map((profile) => profile.name).join(', ');
  if (name !== undefined) {
    const found = profiles.find((profile) => profile.name === name) ?? profiles.find(({ id }) => id === name);
    if (!found) throw new Usage(texts.unknownService({ name, known }), exitCodes.notFound);
    return found;
  }
  const active = profiles.length === 1 ? profiles[0] : profiles.find(({ id }) => id === activeId);
  if (!active) throw new Usage(texts.severalServices({ known }));
  return active;
}

/** So many identifiers, or files, are named in one call. */
export const atOnce = 1000;

type Service = Pick<Profile, 'id' | 'name'>;

/** @param codes of those that are not among `rows`: each has been said, by its identifier */
export interface Found {
  readonly rows: ObjectRow[];
  readonly codes: readonly ExitCode[];
}

/** As `findListed`; what the list does not have and the service has is added to it first. */
export async function findStored(
  context: Context,
  service: Service,
  identifiers: readonly string[],
): Promise<Found> {
  const { coffer, output } = context;
  const listed = await rowsOf(context, service, 'data', identifiers);
  const unlisted = identifiers.filter((_, index) => !listed[index]);
  if (unlisted.length === 0) return { rows: listed.filter((row) => row !== null), codes: [] };
  // What is on the list does without the words of errors, which take a third of the time of a start.
  const { errorLine } = await import('../shared/i18n/error-text.ts');
  const { finishTask } = await import('./finish-task.ts');
  const begun = await coffer.call('objects.addKnown', {
    profileId: service.id,
    kind: 'data',
    identifiers: unlisted,
  });
  const { state, failed, error, notFound = [] } = await finishTask(context, begun);
  if (error && state === 'failed') throw new AppFailure(error);
  const now = await rowsOf(context, service, 'data', unlisted);
  const absent = unlisted.filter((_, index) => !now[index]);
  const secrets = await rowsOf(context, service, 'secret', absent);
  // What was not answered is not known to be missing. Of very many that are missing the task names the first alone.
  const isMissing = failed === 0 ? () => true : (identifier: string) => notFound.includes(identifier);
  const codes = absent.map((identifier, index) => {
    if (error && !isMissing(identifier)) {
      output.error(texts.failed({ identifier, text: errorLine(error) }));
      return exitCodeOf(error);
    }
    const words = secrets[index] ? texts.isSecret : texts.notThere;
    output.error(words({ identifier, service: service.name }));
    return exitCodes.notFound;
  });
  const rows = new Map([...listed, ...now].map((row) => [row?.identifier, row]));
  return { rows: identifiers.flatMap((identifier) => rows.get(identifier) ?? []), codes };
}

/** The rows of the list under these identifiers; of what is not in it, that is said. Where no list is kept, the service is asked. */
export async function findListed(
  context: Context,
  service: Service,
  identifiers: readonly string[],
): Promise<Found> {
  if (!context.isKept) return findStored(context, service, identifiers);
  const listed = await rowsOf(context, service, 'data', identifiers);
  const absent = identifiers.filter((_, index) => !listed[index]);
  const secrets = await rowsOf(context, service, 'secret', absent);
  absent.forEach((identifier, index) => {
    const words = secrets[index] ? texts.isSecret : texts.notListed;
    context.output.error(words({ identifier, service: service.name }));
  });
  return { rows: listed.filter((row) => row !== null), codes: absent.map(() => exitCodes.notFound) };
}

/** In their order; null: the list has none. */
async function rowsOf(
  { coffer }: Context,
  { id: profileId }: Service,
  kind: ObjectKind,
  all: readonly string[],
): Promise<(ObjectRow | null)[]> {
  const found: (ObjectRow | null)[] = [];
  for (let from = 0; from < all.length; from += atOnce) {
    const identifiers = all.slice(from, from + atOnce);
    found.push(...(await coffer.call('command.find', { profileId, kind, identifiers })).objects);
  }
  return found;
}

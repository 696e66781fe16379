import type { ObjectRow } from '../../shared/contract.ts';
import type { ObjectKind } from '../../shared/domain/object.ts';
import type { Service } from '../../shared/domain/service.ts';
import { versionOf } from '../../shared/domain/versions.ts';
import { AppFailure, toAppError } from '../../shared/app-failure.ts';
import type { Context } from '../context.ts';
import { exitCodeOf, exitCodes, type ExitCode } from '../errors/exit-code.ts';
import { commandTexts as texts } from '../texts.ts';

/** Maximum number of identifiers or files per call. */
export const atOnce = 1000;

type NamedService = Pick<Service, 'id' | 'name' | 'separator' | 'versionMark'>;

/** @param codes exit codes of the identifiers missing from `rows`; their errors have been printed */
export interface Found {
  readonly rows: ObjectRow[];
  readonly codes: readonly ExitCode[];
}

/** The rows by the identifiers that were given. */
export interface Meant extends Pick<Found, 'codes'> {
  readonly named: ReadonlyMap<string, ObjectRow>;
}

/**
 * Like `findStored`, but an identifier without a version number means the newest version, as in patterns and references: the newest in
 * the list, or without one at the service.
 * @param isExact each identifier means exactly that object
 * @param unseen as of `findListed`; for the newest version the service is asked in any case
 */
export async function findMeant(
  context: Context,
  service: NamedService,
  identifiers: readonly string[],
  isExact: boolean,
  unseen = false,
): Promise<Meant> {
  const named = new Map<string, ObjectRow>();
  const addNewest = async (some: readonly string[]) => {
    const rows = await rowsOf(context, service, 'data', some, true);
    rows.forEach((row, index) => row && named.set(some[index] ?? '', row));
  };
  const all = [...new Set(identifiers)];
  if (context.hasList && !isExact) await addNewest(all);
  const { rows, codes } = await findStored(
    context,
    service,
    all.filter((identifier) => !named.has(identifier)),
    unseen && isExact && !context.hasList,
  );
  for (const row of rows) named.set(row.identifier, row);
  if (context.hasList || isExact) return { named, codes };
  const { separator, versionMark } = service;
  const { unlessHeldUp } = await import('./task-end.ts');
  const bases = rows.filter(({ identifier }) => versionOf(identifier, separator, versionMark).number === 1);
  const failed: ExitCode[] = [];
  for (const { id, identifier } of bases) {
    try {
      await unlessHeldUp(
        context,
        service.id,
        context.coffer.call('objects.findVersions', { id, wasSeen: true }),
      );
      await addNewest([identifier]);
    } catch (cause) {
      const error = toAppError(cause);
      if (!error) throw cause;
      const { errorLine } = await import('../errors/error-line.ts');
      context.output.error(texts.newestUnknown({ identifier, text: errorLine(error) }));
      named.delete(identifier);
      failed.push(exitCodeOf(error));
    }
  }
  return { named, codes: [...codes, ...failed] };
}

/**
 * Like `findListed`, but first looks unlisted identifiers up at the service and adds those it has to the list.
 * @param unseen adds all, without asking
 */
export async function findStored(
  context: Context,
  service: NamedService,
  identifiers: readonly string[],
  unseen = false,
): Promise<Found> {
  const { coffer, output } = context;
  const listed = await rowsOf(context, service, 'data', identifiers);
  const unlisted = identifiers.filter((_, index) => !listed[index]);
  if (unlisted.length === 0) return { rows: listed.filter((row) => row !== null), codes: [] };
  // Loaded only when needed: the error texts take a third of the start time.
  const { errorLine } = await import('../errors/error-line.ts');
  const { finishTask } = await import('./finish-task.ts');
  const begun = await coffer.call('objects.addKnown', {
    serviceId: service.id,
    kind: 'data',
    identifiers: unlisted,
    ...(unseen && { unseen }),
  });
  const { state, failed, error, notFound = [] } = await finishTask(context, begun);
  if (error && state === 'failed') throw new AppFailure(error);
  const now = await rowsOf(context, service, 'data', unlisted);
  const absent = unlisted.filter((_, index) => !now[index]);
  const secrets = await rowsOf(context, service, 'secret', absent);
  // With failures, only identifiers in `notFound` are known to be missing; the task lists a limited number.
  const isMissing = failed === 0 ? () => true : (identifier: string) => notFound.includes(identifier);
  const notThere = absent.length === 0 ? texts.notThere : await notThereWords(context);
  const codes = absent.map((identifier, index) => {
    if (error && !isMissing(identifier)) {
      output.error(texts.failed({ identifier, text: errorLine(error) }));
      return exitCodeOf(error);
    }
    const words = secrets[index] ? texts.isSecret : notThere;
    output.error(words({ identifier, service: service.name }));
    return exitCodes.notFound;
  });
  const rows = new Map([...listed, ...now].map((row) => [row?.identifier, row]));
  return { rows: identifiers.flatMap((identifier) => rows.get(identifier) ?? []), codes };
}

/** The text for an object that the service does not have. Mentions other services only if there are any. */
export async function notThereWords({ coffer }: Pick<Context, 'coffer'>): Promise<typeof texts.notThere> {
  const { services } = await coffer.call('services.list', undefined);
  return services.length > 1 ? texts.notThereOfSeveral : texts.notThere;
}

/**
 * Finds the rows of these identifiers and prints an error for each that is not listed. Without a stored list, asks the service.
 * @param unseen without a stored list, takes all of them to be there: the caller's own request shows whether they are
 */
export async function findListed(
  context: Context,
  service: NamedService,
  identifiers: readonly string[],
  unseen = false,
): Promise<Found> {
  if (!context.hasList) return findStored(context, service, identifiers, unseen);
  const listed = await rowsOf(context, service, 'data', identifiers);
  const absent = identifiers.filter((_, index) => !listed[index]);
  const secrets = await rowsOf(context, service, 'secret', absent);
  absent.forEach((identifier, index) => {
    const words = secrets[index] ? texts.isSecret : texts.notListed;
    context.output.error(words({ identifier, service: service.name }));
  });
  return { rows: listed.filter((row) => row !== null), codes: absent.map(() => exitCodes.notFound) };
}

/** In the order of `all`; null: not listed. */
export async function rowsOf(
  { coffer }: Context,
  { id: serviceId }: NamedService,
  kind: ObjectKind,
  all: readonly string[],
  newest = false,
): Promise<(ObjectRow | null)[]> {
  const found: (ObjectRow | null)[] = [];
  for (let from = 0; from < all.length; from += atOnce) {
    const identifiers = all.slice(from, from + atOnce);
    found.push(...(await coffer.call('command.find', { serviceId, kind, identifiers, newest })).objects);
  }
  return found;
}

import type { Handlers, Input, Output, ProcedureName } from '../../shared/contract.ts';
import type { ObjectKind } from '../../shared/domain/object.ts';
import type { Clock, Log } from '../ports.ts';
import type { ReportFacts } from './report-text.ts';

/** Time limit for collecting all facts, in ms. */
const limitMs = 5000;

/** Collects the facts of a report from the features. Never rejects: what fails, or takes too long, is null. */
export async function collectFacts(
  handlers: Promise<Partial<Handlers>>,
  clock: Pick<Clock, 'delay'>,
  log: Log,
): Promise<ReportFacts> {
  const over = new AbortController();
  const late = clock.delay(limitMs, over.signal).then(
    () => null,
    () => null,
  );

  async function ask<N extends ProcedureName>(name: N, input: Input<N>): Promise<Output<N> | null> {
    const answer = async () => {
      const handler = (await handlers)[name];
      return handler ? handler(input) : null;
    };
    return Promise.race([
      answer().catch((cause: unknown) => {
        log.warn('a report does not say everything', { procedure: name, cause });
        return null;
      }),
      late,
    ]);
  }
  const mixOf = (serviceId: string, kind: ObjectKind) =>
    ask('objects.mixOf', {
      selection: {
        kind: 'query',
        query: {
          serviceId,
          kind,
          place: { kind: 'all' },
          search: '',
          allVersions: true,
          sort: { column: 'identifier', direction: 'ascending' },
        },
        exceptIds: [],
      },
    });

  try {
    const [info, settings, services, page, edits, undo] = await Promise.all([
      ask('app.info', undefined),
      ask('settings.get', undefined),
      ask('services.list', undefined),
      ask('transfers.page', { tab: 'transfers', offset: 0, limit: 1 }),
      ask('edits.list', undefined),
      ask('undo.summary', undefined),
    ]);
    const objects = await Promise.all(
      (services?.services ?? []).map(async ({ id }) => {
        const [data, secrets] = await Promise.all([mixOf(id, 'data'), mixOf(id, 'secret')]);
        return { data, secrets };
      }),
    );
    return {
      settings,
      services: services?.services ?? null,
      transfers: page?.summary ?? null,
      objects,
      edits: edits?.edits ?? null,
      undo,
      keychain: info?.keychain ?? null,
    };
  } finally {
    over.abort();
  }
}

import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Handlers, Input, Output, ProcedureName } from '../../shared/contract.ts';
import type { ObjectKind } from '../../shared/domain/object.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Clock, Dialogs, Log } from '../ports.ts';
import { targetFailureOf } from '../local-files/file-system.ts';
import { writeFileSync } from '../local-files/fs.ts';
import { mainTexts } from '../texts.ts';
import { type ReportAbout, type ReportFacts, reportText } from './report-text.ts';
import type { CrashNotes } from '../crashes/crash-notes.ts';

/** Time limit for collecting all facts, in ms. */
const limitMs = 5000;

/** Collects the facts of a report from the features. Never rejects: what fails, or takes too long, is null. */
async function collectFacts(
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

/** How many reports stay available for saving: a command may request one while the window shows another. */
const maxShown = 8;

/**
 * Makes reports for support, and saves the one that was shown. A report can be made at any time, also while the database is not open
 * or does not answer: it then says what is not known.
 */
export function createReports(deps: {
  about: Omit<ReportAbout, 'madeAtMs'>;
  handlers: () => Promise<Partial<Handlers>>;
  crashes: Pick<CrashNotes, 'earlier' | 'dismiss'>;
  dialogs: Pick<Dialogs, 'saveFile'>;
  clock: Pick<Clock, 'nowMs' | 'delay'>;
  log: Log;
}): Pick<Handlers, 'app.report' | 'app.saveReport' | 'app.dismissCrash'> {
  const { about, handlers, crashes, dialogs, clock, log } = deps;
  let shown: readonly Output<'app.report'>[] = [];

  return {
    async 'app.report'({ withNames }) {
      const facts = await collectFacts(handlers(), clock, log);
      const text = reportText({ ...about, madeAtMs: clock.nowMs() }, facts, crashes.earlier(), withNames);
      const report = { id: randomUUID(), text };
      shown = [report, ...shown].slice(0, maxShown);
      return report;
    },
    async 'app.saveReport'({ id }) {
      // Save exactly what was shown.
      const report = shown.find((each) => each.id === id);
      if (!report) throw new AppFailure({ code: 'invalidInput', field: 'id', problem: 'unknown' });
      const day = new Date(clock.nowMs()).toISOString().slice(0, 10);
      const path = await dialogs.saveFile({
        title: mainTexts.dialog.saveReport,
        defaultName: `coffer-report-${day}.txt`,
        filters: [{ name: mainTexts.dialog.textFiles, extensions: ['txt'] }],
      });
      if (path === null) return null;
      try {
        writeFileSync(path, report.text, { mode: 0o600 });
      } catch (cause) {
        throw targetFailureOf(cause, basename(dirname(path)));
      }
      return { fileName: basename(path) };
    },
    'app.dismissCrash': () => {
      crashes.dismiss();
      return undefined;
    },
  };
}

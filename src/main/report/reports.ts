import { randomUUID } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Handlers, Output } from '../../shared/contract.ts';
import { targetFailureOf } from '../local-files/failures.ts';
import { writeFileSync } from '../local-files/fs.ts';
import type { Clock, Dialogs, Log } from '../ports.ts';
import { mainTexts } from '../texts.ts';
import { collectFacts } from './collect-facts.ts';
import type { CrashNotes } from './crash-notes.ts';
import { reportText, type ReportAbout } from './report-text.ts';

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

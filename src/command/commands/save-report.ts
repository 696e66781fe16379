import { dirname, join } from 'node:path';
import type { CofferClient } from '../../main/agent/agent-client.ts';
import { readCrash } from '../../main/crashes/crash-notes.ts';
import { reportText } from '../../main/report/report-text.ts';
import { savePrivately } from '../../main/secrets/secret-value.ts';
import { ask } from '../terminal/ask.ts';
import type { RunAlone } from '../context.ts';
import { doctorTexts as texts } from './doctor-texts.ts';
import { checkOutputFile, checkSavedPath, isStream, outputFailure } from '../files/output-path.ts';
import { openStream } from '../files/streams.ts';
import { pipeline } from 'node:stream/promises';

export interface ReportOptions {
  /** `-`: standard output. */
  readonly to: string;
  readonly withNames: boolean;
  readonly isForced: boolean;
}
type Context = Parameters<RunAlone>[0];

/** Call before any other work. @throws Usage */
export function checkReportFile({ io }: Context, { to, isForced }: ReportOptions): void {
  if (!isStream(io, to)) checkOutputFile(io, to, isForced);
}

/** The report of the process that does the work; null: it cannot be reached, or its version has no reports. */
export function askForReport(coffer: CofferClient, { withNames }: ReportOptions): Promise<string | null> {
  return coffer.call('app.report', { withNames }).then(
    ({ text }) => text,
    () => null,
  );
}

/** A report without that process: versions, the log, the last crash. */
export function makeReport({ io, dataFolder, version }: Context, { withNames }: ReportOptions): string {
  const logFolder = join(dataFolder, 'logs');
  return reportText(
    {
      version,
      shell: 'command',
      userData: dataFolder,
      logFolder,
      environment: io.env,
      madeAtMs: io.clock.nowMs(),
    },
    { settings: null, services: null, transfers: null, objects: [], edits: null, undo: null, keychain: null },
    readCrash(logFolder),
    withNames,
  );
}

/** Writes the report. On a terminal shows it first, and saves it only if the person agrees. @throws Usage */
export async function saveReport(
  { io, output, interrupted }: Context,
  { to, isForced }: ReportOptions,
  text: string,
): Promise<void> {
  if (to === '-') {
    output.result(text.trimEnd(), { path: null, report: text });
    return;
  }
  if (io.stdin.isTTY) {
    output.error(text);
    const isAgreed =
      isForced || /^y(es)?$/i.test((await ask(io, texts.reportAsk({ path: to }), interrupted))?.trim() ?? '');
    if (!isAgreed) {
      output.say(texts.reportNotSaved);
      return;
    }
  }
  const path = io.resolve(to);
  if (isStream(io, to)) await pipeline([text], await openStream(io, to));
  else {
    const saved = await savePrivately(path, Buffer.from(text), isForced).catch((cause: unknown) => {
      throw outputFailure(cause, dirname(path));
    });
    checkSavedPath(to, path, saved);
  }
  output.result(texts.reportSaved({ path: to }), { path, report: null });
}

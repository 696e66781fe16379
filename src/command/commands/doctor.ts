import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { AgentRefused, AgentSilent, connectAgent, type CofferClient } from '../../main/agent/agent-client.ts';
import { knownAddress } from '../../main/agent/address.ts';
import type { UnknownFile } from '../../shared/contract.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { errorLine } from '../errors/error-line.ts';
import { formatSize } from '../../shared/i18n/format.ts';
import { hasStoredList, type RunAlone } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { keychainMs, type CommandIo } from '../terminal/io.ts';
import { openCoffer } from '../engine/open-coffer.ts';
import { checkLeftParts, type Finding } from './doctor-left-parts.ts';
import { doctorTexts as texts } from './doctor-texts.ts';
import { askForReport, checkReportFile, makeReport, saveReport, type ReportOptions } from './save-report.ts';
import { commandTexts } from '../texts.ts';

const oldestNode = 24;
/** With less free space, undo copies or the database may soon not fit. */
const littleBytes = 1_000_000_000;

/**
 * `coffer doctor`: checks what commands need, and looks for orphans at the services. Returns 0 if all is well, else 1; with a
 * report, 0 if it was made.
 * @param removeParts uploads whose orphans are to be deleted
 * @param report where to save a report for support; null: no report
 */
export const doctor =
  (removeParts: readonly string[], report: ReportOptions | null = null): RunAlone =>
  async (context) => {
    if (report) checkReportFile(context, report);
    const checks: string[] = [];
    let text: string | null = null;
    const allOk = await check(
      context,
      removeParts,
      (finding) => {
        checks.push(`  ${finding.check}: ${finding.isOk ? 'ok' : 'problem'}`);
        if (report?.to !== '-') tell(context, finding);
      },
      async (coffer) => {
        text = report && (await askForReport(coffer, report));
      },
    );
    if (!report) return allOk ? exitCodes.done : exitCodes.error;
    const whole = [text ?? makeReport(context, report), 'Checks of coffer doctor', ...checks, ''].join('\n');
    await saveReport(context, report, whole);
    return exitCodes.done;
  };

function tell({ output }: Parameters<RunAlone>[0], { check, isOk, text, files }: Finding): void {
  const words = `${isOk ? texts.ok : texts.problem} ${texts.check[check]}: ${text}`;
  output.result(words, { check, ok: isOk, text, ...(files && { files }) });
}

/** @param whenOpen called if Coffer can be asked @returns whether all is well */
async function check(
  { io, dataFolder, version }: Parameters<RunAlone>[0],
  removeParts: readonly string[],
  onFinding: (finding: Finding) => void,
  whenOpen: (coffer: CofferClient) => Promise<void>,
): Promise<boolean> {
  let allOk = true;
  const add = (finding: Finding) => {
    allOk &&= finding.isOk;
    onFinding(finding);
  };
  add(checkNode(io));
  if (hasStoredList(io)) {
    add(checkFolder(dataFolder));
    add(checkDisk(dataFolder));
    const app = await checkApp(dataFolder, version);
    add(app);
    add(await checkKeychain(io));
    if (app.isLast) return false;
  }
  try {
    const { coffer, doneBy } = await openCoffer(dataFolder, version, io);
    try {
      if (doneBy !== 'app') add(describeProxy(io));
      for (const finding of await checkServices(coffer)) add(finding);
      for (const finding of await checkLeftParts(coffer, removeParts)) add(finding);
      for (const finding of await findUnknownFiles(coffer, dataFolder)) add(finding);
      await whenOpen(coffer);
    } finally {
      await coffer.close();
    }
  } catch (cause) {
    add({ check: 'service', isOk: false, text: describe(cause) });
  }
  return allOk;
}

function checkNode({ nodeVersion: node }: CommandIo): Finding {
  return {
    check: 'node',
    isOk: Number.parseInt(node, 10) >= oldestNode,
    text: texts.node({ version: node }),
  };
}

function checkFolder(folder: string): Finding {
  const found = { check: 'dataFolder' } as const;
  try {
    if (!statSync(folder).isDirectory()) return { ...found, isOk: false, text: texts.folderNone({ folder }) };
    accessSync(folder, constants.R_OK | constants.W_OK);
    return { ...found, isOk: true, text: texts.folder({ folder }) };
  } catch (cause) {
    const isNew = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    // The first command that stores something creates it.
    if (isNew) return { ...found, isOk: true, text: texts.folderNew({ folder }) };
    return { ...found, isOk: false, text: texts.folderRefused({ folder }) };
  }
}

function checkDisk(folder: string): Finding {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const { bavail, bsize } = statfsSync(at);
      const freeBytes = bavail * bsize;
      return {
        check: 'disk',
        isOk: freeBytes >= littleBytes,
        text: texts.disk({ free: formatSize(freeBytes) }),
      };
    } catch (cause) {
      if (dirname(at) === at) return { check: 'disk', isOk: false, text: describe(cause) };
    }
  }
}

async function checkApp(folder: string, version: string): Promise<Finding> {
  const found = { check: 'app' } as const;
  try {
    const address = knownAddress(folder);
    const running = address === null ? null : await connectAgent(address, version);
    if (running) {
      await running.close();
      return { ...found, isOk: true, text: running.isApp ? texts.appRuns : texts.otherRuns };
    }
    const holds = await isHeld(folder);
    return { ...found, isOk: !holds, text: holds ? texts.folderHeld : texts.appNotRunning };
  } catch (cause) {
    if (cause instanceof AgentRefused)
      return {
        ...found,
        isOk: cause.isPassing,
        text: cause.isPassing ? texts.appPassing : texts.appRefuses({ version: cause.version, own: version }),
      };
    if (cause instanceof AgentSilent)
      return { ...found, isOk: false, text: commandTexts.appSilent, isLast: true };
    return { ...found, isOk: false, text: describe(cause) };
  }
}

/** Whether a process holds the folder but answers no commands: it is starting or ending, or the path is too long for a socket. */
async function isHeld(folder: string): Promise<boolean> {
  try {
    statSync(folder);
  } catch {
    return false;
  }
  const { takeLease } = await import('../../main/database/lease.ts');
  try {
    takeLease(folder).release();
    return false;
  } catch (cause) {
    if (toAppError(cause)?.code === 'dataFolderInUse') return true;
    throw cause;
  }
}

async function checkKeychain(io: CommandIo): Promise<Finding> {
  const { probeKeychain } = await import('../../main/keychain.ts');
  const error = await probeKeychain(await io.openKeychain(keychainMs));
  return { check: 'keychain', isOk: error === null, text: error ? errorLine(error) : texts.keychain };
}

/** The proxy variables that commands use without the app. Names only: a value may contain a password. */
function describeProxy({ env }: CommandIo): Finding {
  const named = ['https_proxy', 'http_proxy', 'HTTPS_PROXY', 'HTTP_PROXY'].filter((name) => env[name]);
  const text = named.length > 0 ? texts.proxy({ names: named.join(', ') }) : texts.proxyNone;
  return { check: 'proxy', isOk: true, text };
}

async function checkServices(coffer: CofferClient): Promise<Finding[]> {
  const { services } = await coffer.call('services.list', undefined);
  if (services.length === 0) return [{ check: 'service', isOk: true, text: texts.noService }];
  return Promise.all(
    services.map(async ({ id, name, baseAddress: address }): Promise<Finding> => {
      const { connection, trouble } = await coffer.call('services.check', { id });
      const state = trouble ? errorLine(trouble) : texts.connection[connection];
      const isOk = connection === 'ready';
      return { check: 'service', isOk, text: texts.service({ name, address, state }) };
    }),
  );
}

/** No findings if there are no unknown files. */
async function findUnknownFiles(coffer: CofferClient, dataFolder: string): Promise<Finding[]> {
  const { files } = await coffer.call('undo.unknown', undefined);
  const folderOf = ({ name }: UnknownFile) => join(dataFolder, name.split(sep)[0] ?? '');
  return [...Map.groupBy(files, folderOf)].map(([folder, found]): Finding => {
    const size = formatSize(found.reduce((sum, { bytes }) => sum + bytes, 0));
    const when = new Date(found[0]?.changedAtMs ?? 0).toISOString().slice(0, 10);
    return {
      check: 'unknownFiles',
      isOk: false,
      text: texts.unknownFiles({ folder, count: found.length, size, when }),
      files: found.map(({ name }) => join(dataFolder, name)),
    };
  });
}

function describe(cause: unknown): string {
  const error = toAppError(cause);
  if (error) return errorLine(error);
  return cause instanceof Error ? cause.message : String(cause);
}

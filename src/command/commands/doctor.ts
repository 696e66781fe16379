import { accessSync, constants, statfsSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AgentRefused, AgentSilent, connectAgent, type CofferClient } from '../../main/agent/agent-client.ts';
import { knownAddress } from '../../main/agent/address.ts';
import type { UnknownFile } from '../../shared/contract.ts';
import { toAppError } from '../../shared/app-failure.ts';
import { errorLine } from '../errors/error-line.ts';
import type { Service } from '../../shared/domain/service.ts';
import { formatSize } from '../../shared/i18n/format.ts';
import { hasStoredList, type RunAlone } from '../context.ts';
import { exitCodes } from '../errors/exit-code.ts';
import { keychainMs, type CommandIo } from '../terminal/io.ts';
import { openCoffer } from '../engine/open-coffer.ts';
import { doctorTexts as texts } from './doctor-texts.ts';
import { askForReport, checkReportFile, makeReport, saveReport, type ReportOptions } from './save-report.ts';
import { commandTexts } from '../texts.ts';

const oldestNode = 24;
/** With less free space, undo copies or the database may soon not fit. */
const littleBytes = 1_000_000_000;

type Check =
  | 'node'
  | 'dataFolder'
  | 'disk'
  | 'app'
  | 'keychain'
  | 'proxy'
  | 'service'
  | 'leftParts'
  | 'unknownFiles';
type Finding = {
  readonly check: Check;
  readonly isOk: boolean;
  readonly text: string;
  /** Absolute paths. */
  readonly files?: readonly string[];
  /** Skip the remaining checks: they would wait for the same process. */
  readonly isLast?: true;
};

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

const removalMs = 60_000;
const lookMs = 500;

/** Orphans, by upload. Deletes those of `wanted` and waits up to a minute; the app or the next command continues the deletion. */
export async function checkLeftParts(coffer: CofferClient, wanted: readonly string[]): Promise<Finding[]> {
  const { services } = await coffer.call('services.list', undefined);
  const open = new Set(wanted);
  const findings: Finding[] = [];
  for (const { id: serviceId, name } of services) {
    const { uploads } = await coffer.call('objects.leftParts', { serviceId });
    const removed = uploads.flatMap(({ upload }) => (open.has(upload) ? [upload] : []));
    if (removed.length > 0) await coffer.call('objects.removeLeftParts', { serviceId, uploads: removed });
    const after = await untilRemoved(coffer, serviceId, removed);
    for (const { identifier, upload, parts: count, why } of uploads) {
      const words = { count, identifier, name, upload };
      const isWanted = open.delete(upload);
      const left = after.uploads.find((each) => each.upload === upload);
      const isGoing = isWanted && after.removing.includes(upload);
      const isOk = isWanted && !left && !isGoing;
      const text = isOk
        ? texts.leftPartsRemoved(words)
        : isGoing
          ? texts.leftPartsGoing(words)
          : texts.leftParts({ ...words, why: texts.why[left?.why ?? why] });
      findings.push({ check: 'leftParts', isOk, text });
    }
  }
  for (const upload of open) {
    const [service, ...others] = services;
    // Named by a command without a stored list, which knew no more than this.
    if (service && others.length === 0 && isPart.test(upload))
      findings.push(await removePartsUpTo(coffer, service, upload));
    else findings.push({ check: 'leftParts', isOk: false, text: texts.leftPartsUnknown({ upload }) });
  }
  return findings;
}

const isPart = /~p-[0-9a-f]{32}-[0-9]{5}$/;

async function removePartsUpTo(
  coffer: CofferClient,
  { id: serviceId, name }: Service,
  lastPart: string,
): Promise<Finding> {
  const upload = lastPart.slice(-38, -6);
  await coffer.call('objects.removePartsUpTo', { serviceId, lastPart });
  const { uploads, removing } = await untilRemoved(coffer, serviceId, [upload]);
  const left = uploads.find((each) => each.upload === upload);
  const words = { lastPart, name };
  const found = { check: 'leftParts' } as const;
  if (left) return { ...found, isOk: false, text: texts.partsStay({ ...words, why: texts.why[left.why] }) };
  const isOk = !removing.includes(upload);
  return { ...found, isOk, text: (isOk ? texts.partsRemoved : texts.partsGoing)(words) };
}

async function untilRemoved(coffer: CofferClient, serviceId: string, uploads: readonly string[]) {
  for (let waitedMs = 0; ; waitedMs += lookMs) {
    const left = await coffer.call('objects.leftParts', { serviceId });
    const isOver = !left.removing.some((each) => uploads.includes(each));
    if (isOver || waitedMs >= removalMs) return left;
    await setTimeout(lookMs);
  }
}

/** No findings if there are no unknown files. */
async function findUnknownFiles(coffer: CofferClient, dataFolder: string): Promise<Finding[]> {
  const { files } = await coffer.call('undo.unknown', undefined);
  const folderOf = ({ path }: UnknownFile) =>
    join(dataFolder, relative(dataFolder, path).split(sep)[0] ?? '');
  return [...Map.groupBy(files, folderOf)].map(([folder, found]): Finding => {
    const size = formatSize(found.reduce((sum, { bytes }) => sum + bytes, 0));
    const when = new Date(found[0]?.changedAtMs ?? 0).toISOString().slice(0, 10);
    return {
      check: 'unknownFiles',
      isOk: false,
      text: texts.unknownFiles({ folder, count: found.length, size, when }),
      files: found.map(({ path }) => path),
    };
  });
}

function describe(cause: unknown): string {
  const error = toAppError(cause);
  if (error) return errorLine(error);
  return cause instanceof Error ? cause.message : String(cause);
}

import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Output, SelectionMix } from '../../shared/contract.ts';
import type { Service } from '../../shared/domain/service.ts';
import { settingsDefault, type Settings } from '../../shared/domain/settings.ts';
import type { TabSummary } from '../../shared/domain/transfer-summary.ts';
import { statSync } from '../local-files/fs.ts';
import type { Environment } from '../ports.ts';
import type { Crash } from '../crashes/crash-notes.ts';
import { cleanLogLine, readLastLines } from './log-lines.ts';

const shownLines = 200;

/** Facts from the database; null: it is not open, or did not answer in time. */
export interface ReportFacts {
  readonly settings: Settings | null;
  readonly services: readonly Service[] | null;
  readonly transfers: Pick<Output<'transfers.page'>['summary'], 'transfers' | 'jobs' | 'paused'> | null;
  /** In the order of `services`. */
  readonly objects: readonly { readonly data: SelectionMix | null; readonly secrets: SelectionMix | null }[];
  readonly edits: Output<'edits.list'>['edits'] | null;
  readonly undo: Output<'undo.summary'> | null;
  readonly keychain: Output<'app.info'>['keychain'] | null;
}

export interface ReportAbout {
  readonly version: string;
  readonly shell: 'electron' | 'chromium' | 'command';
  readonly userData: string;
  readonly logFolder: string;
  readonly environment: Environment;
  readonly madeAtMs: number;
}

/**
 * The report, as plain text in English. It contains no token, secret, identifier or path: only what is listed here by name.
 * @param withNames also names and addresses of the services
 */
export function reportText(
  about: ReportAbout,
  facts: ReportFacts,
  crash: Crash | null,
  withNames: boolean,
): string {
  const numbers = new Map(facts.services?.map(({ id }, index) => [id, index + 1]));
  const lines = readLastLines(about.logFolder, shownLines).map((line) =>
    cleanLogLine(line, (id) => numbers.get(id)),
  );
  const sections: [title: string, lines: readonly string[] | null][] = [
    ['Versions', versionLines(about)],
    ['System', systemLines(about)],
    ['Data folder', folderLines(about)],
    ['Settings that are not the defaults', facts.settings && settingLines(facts.settings)],
    ['Services', facts.services?.map((each, index) => serviceLine(each, index + 1, withNames)) ?? null],
    [
      'Keychain',
      facts.keychain && [facts.keychain.usable ? 'works' : `not usable: ${codeOf(facts.keychain)}`],
    ],
    ['Objects, by service', facts.services && facts.objects.map(objectLine)],
    ['Transfers', facts.transfers && tabLines(facts.transfers.transfers, numbers)],
    ['Deferred requests', facts.transfers && tabLines(facts.transfers.jobs, numbers)],
    ['Edits', facts.edits && countLines(facts.edits.map(({ state }) => state))],
    ['Replaced versions', facts.undo && [`${facts.undo.count}, ${facts.undo.bytes} bytes`]],
    ['Last crash', crash ? crashLines(crash) : ['none']],
    [`Last ${lines.length} lines of the log`, lines],
  ];
  const promise = withNames
    ? 'It contains names and addresses of services, and no token, secret, identifier or path.'
    : 'It contains no token, secret, identifier, path, name or address.';
  return [
    `Coffer report, ${new Date(about.madeAtMs).toISOString()}`,
    `${promise} “…” is what was left out.`,
    ...sections.flatMap(([title, text]) => [
      '',
      title,
      ...(text ?? ['not known']).map((line) => `  ${line}`),
      ...(text?.length === 0 ? ['  none'] : []),
    ]),
    '',
  ].join('\n');
}

function versionLines({ version, shell }: ReportAbout): string[] {
  const { electron, chrome, node, v8, openssl, sqlite } = process.versions;
  const parts = { electron, chrome, node, v8, openssl, sqlite };
  return [
    `Coffer ${version}, ${shell}`,
    ...Object.entries(parts).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${value}`])),
  ];
}

/** No host name, user name or time zone. */
function systemLines({ environment }: ReportAbout): string[] {
  const session = ['wayland', 'x11', 'tty'].find((each) => each === environment['XDG_SESSION_TYPE']);
  const desktop = ['GNOME', 'KDE', 'XFCE', 'MATE', 'Cinnamon', 'LXQt', 'sway', 'Hyprland'].find((each) =>
    environment['XDG_CURRENT_DESKTOP']?.split(':').some((name) => name.endsWith(each)),
  );
  return [
    `${platform()} ${/^[\w.+-]{1,60}$/.exec(release())?.[0] ?? ''} ${arch()}`,
    `${cpus().length} cores, ${Math.round(totalmem() / 1e6)} MB of memory`,
    ...(session === undefined ? [] : [`session: ${session}`]),
    ...(desktop === undefined ? [] : [`desktop: ${desktop}`]),
    ...(environment['APPIMAGE'] ? ['started from an AppImage'] : []),
    `running for ${Math.round(process.uptime())} s, ${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
  ];
}

function folderLines({ userData }: ReportAbout): string[] {
  return ['coffer.db', 'coffer.db-wal'].map((name) => {
    const size = statSync(join(userData, name), { throwIfNoEntry: false })?.size;
    return `${name}: ${size === undefined ? 'not there' : `${size} bytes`}`;
  });
}

/** Their values are numbers, switches and words that Coffer defines. */
function settingLines(settings: Settings): string[] {
  const changed = Object.entries(settings).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(settingsDefault[key as keyof Settings]),
  );
  return changed.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
}

function serviceLine(service: Service, number: number, withNames: boolean): string {
  const { baseAddress, isLocal, proxy, connection, trouble, tokenStoredIn } = service;
  const own = (isOwn: boolean, what: string) => (isOwn ? [`own ${what}`] : []);
  return [
    `${number}: ${isLocal ? 'on this computer' : URL.parse(baseAddress)?.protocol === 'https:' ? 'https' : 'http'}`,
    ...(withNames ? [JSON.stringify(service.name), withoutCredentials(baseAddress)] : []),
    connection,
    ...(trouble ? [`trouble ${trouble.code}`] : []),
    `token in ${tokenStoredIn}`,
    `proxy ${proxy.kind}`,
    ...own(service.clientCertificate !== null, 'client certificate'),
    ...own(service.authority !== null, 'CA certificate'),
    ...own(service.maxObjectBytes !== null, `limit of ${service.maxObjectBytes} bytes for an object`),
    ...own(service.maxSecretBytes !== null, `limit of ${service.maxSecretBytes} bytes for a secret`),
    `large files ${service.allowsParts ? 'in parts' : 'refused'}`,
    `classifications ${service.classificationSource.kind}`,
  ].join(', ');
}

function withoutCredentials(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.origin}${url.pathname}` : 'an address that cannot be read';
}

function objectLine({ data, secrets }: ReportFacts['objects'][number], index: number): string {
  const states = (mix: SelectionMix | null) =>
    mix
      ? [`${mix.count}`, ...mix.states.map(({ state, count }) => `${state} ${count}`)].join(', ')
      : 'not known';
  return `${index + 1}: objects ${states(data)}; secrets ${states(secrets)}`;
}

function tabLines(summary: TabSummary, numbers: ReadonlyMap<string, number>): string[] {
  const { counts, active, failed, lost, done, unanswered, causes } = summary;
  return [
    Object.entries({ ...counts, active, failed, lost, done, unanswered })
      .map(([state, count]) => `${state} ${count}`)
      .join(', '),
    ...causes.map(
      ({ serviceId, group, code, count }) =>
        `${count} ${group} because of ${code}, service ${numbers.get(serviceId) ?? '…'}`,
    ),
  ];
}

function countLines(states: readonly string[]): string[] {
  return [...Map.groupBy(states, (state) => state)].map(([state, all]) => `${state} ${all.length}`);
}

function crashLines({ atMs, version, what, thread, error }: Crash): string[] {
  const words = {
    app: 'an error ended it',
    thread: 'an error ended a thread',
    killed: 'it was ended from outside, or by a crash of its shell',
  };
  return [
    `${new Date(atMs).toISOString()}, Coffer ${version}: ${words[what]}${thread === undefined ? '' : ` (${thread})`}`,
    ...(error === null ? [] : [JSON.stringify(error)]),
  ];
}

function codeOf({ error }: NonNullable<ReportFacts['keychain']>): string {
  return error && 'problem' in error ? error.problem : 'unknown';
}

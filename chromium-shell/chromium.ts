import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { connectCdp, type CdpConnection } from './cdp.ts';
import { refuse, sayOnce } from './refuse.ts';

export type Chromium = CdpConnection & {
  /** The window's page. */
  targetId: string;
  /** Resolves when the process has ended for any reason. */
  gone: Promise<void>;
  stop: () => void;
};

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** COFFER_CHROMIUM, or the first one on PATH. */
export function findChromium(env: NodeJS.ProcessEnv): string {
  const asked = env['COFFER_CHROMIUM'];
  if (asked) return existsSync(asked) ? asked : refuse(`COFFER_CHROMIUM names ${asked}, which is not there`);
  const folders = (env['PATH'] ?? '').split(delimiter);
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return (
    paths.find((path) => existsSync(path)) ?? refuse(`no Chromium here (looked for ${names.join(', ')})`)
  );
}

/** What the window shows until its first page is loaded. */
export const emptyPage = 'data:text/html,';

const quiet = [
  // The virtual display has no GPU, and emulating one takes a seventh of the run time.
  ...(process.env['CHROMIUM_SHELL_NO_GPU'] ? ['--disable-gpu'] : []),
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-sync',
  '--metrics-recording-only',
  '--disable-session-crashed-bubble',
  '--hide-crash-restore-bubble',
  // The application uses the person's keyring; the empty browser profile must not.
  '--password-store=basic',
  '--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,SpareRendererForSitePerProcess',
];

/** Lines of Chromium's output to show if it does not start. */
const maxSaid = 10;

/**
 * Starts Chromium with one application window, on an empty page. It exits with this process, because its pipe breaks.
 */
export async function startChromium(
  profile: string,
  windowClass: string,
  debuggingPort: string | undefined,
): Promise<Chromium> {
  const preferences = join(profile, 'Default', 'Preferences');
  if (!existsSync(preferences)) {
    mkdirSync(dirname(preferences), { recursive: true, mode: 0o700 });
    // Makes Chromium ask where to save each file: this is how the stand-in shows save dialogs.
    writeFileSync(preferences, JSON.stringify({ download: { prompt_for_download: true } }));
  }
  const isRoot = process.getuid?.() === 0;
  if (isRoot) sayOnce('running as root, so Chromium runs without its sandbox');
  const child = spawn(
    findChromium(process.env),
    [
      ...quiet,
      // --test-type: without the warning bar.
      ...(isRoot ? ['--no-sandbox', '--test-type'] : []),
      ...(debuggingPort === undefined ? [] : [`--remote-debugging-port=${debuggingPort}`]),
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      `--class=${windowClass}`,
      `--app=${emptyPage}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] },
  );
  const gone = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
    child.on('error', () => resolve());
  });
  const said: string[] = [];
  // Electron prints this line too; the rest is only shown if Chromium does not start.
  createInterface({ input: child.stdio[2] as Readable }).on('line', (line) => {
    if (line.startsWith('DevTools listening on')) process.stderr.write(`${line}\n`);
    else said.push(line);
    said.splice(0, said.length - maxSaid);
  });
  const connection = connectCdp(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const targetId = await findPage(connection).catch((cause: unknown) => {
    throw new Error([String(cause), ...said].join('\n'), { cause });
  });
  return { ...connection, targetId, gone, stop: () => void child.kill() };
}

async function findPage({ browser }: CdpConnection): Promise<string> {
  const found = new Promise<string>((resolve) => {
    browser.on('Target.targetCreated', ({ targetInfo }) => {
      if (targetInfo.type === 'page') resolve(targetInfo.targetId);
    });
  });
  await browser.send('Target.setDiscoverTargets', { discover: true });
  return found;
}

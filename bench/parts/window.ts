import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { findElectron, launchApp, type LaunchedApp, type Shell } from '../../e2e/launch.ts';
import { CofferWindow } from '../../e2e/pages/coffer-window.ts';
import { benchToken, type BenchService } from './service.ts';

export interface BenchWindow {
  readonly launched: LaunchedApp;
  readonly page: Page;
  /** The main process; the application's other processes descend from it. */
  readonly pid: number;
  readonly coffer: CofferWindow;
  close(): Promise<unknown>;
}

/** As `npm start` chooses it. */
const shell: Shell = findElectron() && process.env['COFFER_SHELL'] !== 'chromium' ? 'electron' : 'chromium';

/** Starts the build, or the application in `appFolder`, with this data folder, on Electron if its binary is here. */
export async function launchIn(folder: string, appFolder?: string): Promise<LaunchedApp> {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  return launchApp({
    shell,
    ...(appFolder !== undefined && { appFolder }),
    requires: [join(import.meta.dirname, 'watch-main.cjs')],
    userData: join(folder, 'user data'),
    dialogAnswers: dialogsOf(folder),
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
  });
}

export const dialogsOf = (folder: string) => join(folder, 'dialogs.json');

/** Opens the window with an empty list, connected to the service. */
export async function openWindow(folder: string, service: BenchService): Promise<BenchWindow> {
  const launched = await launchIn(folder);
  const coffer = new CofferWindow(launched.page);
  await coffer.connect({ name: 'Bench', baseAddress: service.baseAddress, token: benchToken });
  const { page, process } = launched;
  return { launched, page, pid: process.pid ?? 0, coffer, close: () => launched.end() };
}

/** The shell's name and version. */
export async function describeShell(page: Page): Promise<string> {
  const electron = /Electron\/(\S+)/.exec(await page.evaluate(() => navigator.userAgent))?.[1];
  const name = electron === undefined ? 'the stand-in' : `Electron ${electron}`;
  return `${name}, Chromium ${page.context().browser()?.version() ?? 'unknown'}`;
}

/** For how long a main process stood still, and how much of that it worked. */
export interface MainBlock {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Of the time since the start or the last `watchMain`. From then on main is not watched, which would cost CPU. */
export async function longestBlock({ tell, process }: LaunchedApp): Promise<MainBlock> {
  const told = once(process, 'message');
  tell({ bench: 'longest' });
  return ((await told) as [MainBlock])[0];
}

export const watchMain = ({ tell }: LaunchedApp) => tell({ bench: 'watch' });

/** The worst of several measurements. */
export function describeBlock(blocks: readonly MainBlock[]): string {
  const [worst] = blocks.toSorted((a, b) => b.cpuMs - a.cpuMs);
  return worst ? `${worst.ms.toFixed(0)} ms (CPU ${worst.cpuMs.toFixed(0)} ms)` : '';
}

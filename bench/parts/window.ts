import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { launchApp, type LaunchedApp } from '../../e2e/launch.ts';
import { CofferWindow } from '../../e2e/pages/coffer-window.ts';
import { benchToken, type BenchService } from './service.ts';

export interface BenchWindow {
  readonly page: Page;
  /** The main process; the application's other processes descend from it. */
  readonly pid: number;
  readonly coffer: CofferWindow;
  close(): Promise<unknown>;
}

/** Starts the build in Chromium with this data folder. */
export async function launchIn(folder: string): Promise<LaunchedApp> {
  const home = join(folder, 'home');
  await mkdir(home, { recursive: true });
  return launchApp({
    shell: 'chromium',
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
  return { page, pid: process.pid ?? 0, coffer, close: () => launched.end() };
}

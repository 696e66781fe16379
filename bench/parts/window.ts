import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { launchApp } from '../../e2e/launch.ts';
import { CofferWindow } from '../../e2e/pages/coffer-window.ts';
import { benchToken, type BenchService } from './service.ts';

export interface BenchWindow {
  readonly page: Page;
  readonly coffer: CofferWindow;
  close(): Promise<unknown>;
}

/** What was built, in Chromium, over an empty list, connected to the service. */
export async function openWindow(folder: string, service: BenchService): Promise<BenchWindow> {
  const home = join(folder, 'home');
  await mkdir(home);
  const launched = await launchApp({
    shell: 'chromium',
    userData: join(folder, 'user data'),
    dialogAnswers: join(folder, 'dialogs.json'),
    env: { HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
  });
  const coffer = new CofferWindow(launched.page);
  await coffer.connect({ name: 'Bench', baseAddress: service.baseAddress, token: benchToken });
  return { page: launched.page, coffer, close: () => launched.close() };
}

import { powerSaveBlocker } from 'electron';
import type { Background } from '../background.ts';

/**
 * Call after `ready`. While work goes on, the computer does not go to sleep by itself; the screen may turn off. On macOS it also holds
 * off App Nap: Chromium takes a power assertion (`NoIdleSleep`, power_save_blocker_mac.cc), and no app with one is put to nap (Apple's
 * Energy Efficiency Guide, *App Nap*). It ends with the process.
 */
export function stayAwakeForWork(background: Pick<Background, 'keepsAwake' | 'onChanged'>): void {
  let blocker: number | null = null;
  function update(): void {
    if (background.keepsAwake() === (blocker !== null)) return;
    if (blocker === null) blocker = powerSaveBlocker.start('prevent-app-suspension');
    else {
      powerSaveBlocker.stop(blocker);
      blocker = null;
    }
  }
  background.onChanged(update);
  update();
}

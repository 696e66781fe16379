import { session } from 'electron';
import type { SystemProxy } from '../ports.ts';

/**
 * What Chromium finds: the settings of the system, its PAC file or WPAD. `resolveProxy` answers in the words of PAC files. After
 * `ready`.
 */
export const systemProxy: SystemProxy = {
  resolve: (url) => session.defaultSession.resolveProxy(url),
};

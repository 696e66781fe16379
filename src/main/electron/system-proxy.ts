import { session } from 'electron';
import type { SystemProxy } from '../ports.ts';

/**
 * Chromium's proxy: the system's settings, its PAC file or WPAD. `resolveProxy` answers in the format of PAC files.
 * Use after `ready`.
 */
export const systemProxy: SystemProxy = {
  resolve: (url) => session.defaultSession.resolveProxy(url),
};

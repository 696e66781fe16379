import { setTimeout as delay } from 'node:timers/promises';
import type * as Electron from 'electron';
import { theChromium } from './app.ts';
import { provideOnly, refuse } from './refuse.ts';

type RequestHandler = (
  contents: unknown,
  permission: string,
  answer: (isGranted: boolean) => void,
  details: object,
) => void;
type CheckHandler = (contents: unknown, permission: string, origin: string, details: object) => boolean;

let onRequest: RequestHandler | null = null;
let onCheck: CheckHandler | null = null;

/**
 * Electron fetches dictionaries unless both are set in the tick of the session's first use (electron/electron#22995).
 */
const spelling = { isUsed: false, isLate: false, isOff: false, isElsewhere: false };

/** Call before the first window. */
export function requireNoDictionaries(): void {
  if (!spelling.isOff || !spelling.isElsewhere)
    refuse(
      'Electron would fetch dictionaries: the spell checker was not refused when the session was first used',
    );
}

/**
 * Electron's answer on a computer without a proxy; the application handles environment variables itself. As in Electron, lookups run one
 * after the other (resolve_proxy_helper.cc); tests can slow them down with CHROMIUM_SHELL_PROXY_MS.
 */
async function answerProxy(): Promise<string> {
  await delay(Number(process.env['CHROMIUM_SHELL_PROXY_MS'] ?? 0));
  return 'DIRECT';
}
let lookUp = Promise.resolve('');

const defaultSession = provideOnly('session.defaultSession', {
  setPermissionRequestHandler: (handler: RequestHandler | null): void => {
    onRequest = handler;
  },
  setPermissionCheckHandler: (handler: CheckHandler | null): void => {
    onCheck = handler;
  },
  resolveProxy: (_url: string): Promise<string> => {
    lookUp = lookUp.then(answerProxy);
    return lookUp;
  },
  // Chromium's device choosers also need a user gesture; only the permission can be refused here.
  setDevicePermissionHandler: (_handler: ((details: object) => boolean) | null): void => undefined,
  setSpellCheckerEnabled: (enable: boolean): void => {
    spelling.isOff = !enable && !spelling.isLate;
  },
  setSpellCheckerDictionaryDownloadURL: (url: string): void => {
    if (!url.endsWith('/') || !URL.canParse(url)) refuse(`"${url}" is no folder of dictionaries`);
    spelling.isElsewhere = new URL(url).hostname === '127.0.0.1' && !spelling.isLate;
  },
} satisfies { [name in keyof Electron.Session]?: unknown });

export const session = provideOnly('session', {
  get defaultSession() {
    theChromium('session.defaultSession');
    if (!spelling.isUsed) setImmediate(() => (spelling.isLate = true));
    spelling.isUsed = true;
    return defaultSession;
  },
});

/** Permissions by Chromium's and Electron's names. */
const permissions = [
  ['geolocation', 'geolocation'],
  ['notifications', 'notifications'],
  ['midi', 'midi'],
  ['camera', 'media'],
  ['microphone', 'media'],
  ['clipboard-read', 'clipboard-read'],
  ['clipboard-write', 'clipboard-sanitized-write'],
  ['idle-detection', 'idle-detection'],
  ['local-fonts', 'local-fonts'],
  ['screen-wake-lock', 'screen-wake-lock'],
  ['storage-access', 'storage-access'],
  ['window-management', 'window-management'],
] as const;

/** Chromium decides before a page asks, so the handlers are called in advance, once per permission. */
export async function applyPermissions(
  contents: unknown,
  origin: string,
  shownOrigin: string,
): Promise<void> {
  for (const [name, electronName] of permissions) {
    const isChecked = onCheck?.(contents, electronName, origin, {}) ?? true;
    const isGranted =
      isChecked ||
      (await new Promise<boolean>((answer) =>
        onRequest ? onRequest(contents, electronName, answer, {}) : answer(true),
      ));
    await setPermission(name, isGranted ? 'granted' : 'denied', shownOrigin);
  }
}

async function setPermission(name: string, setting: 'granted' | 'denied', origin: string): Promise<void> {
  const { browser } = theChromium('session');
  await browser.send('Browser.setPermission', { permission: { name }, setting, origin });
}

/**
 * Grants a permission for what the main process does through the page (clipboard, notifications), and denies it
 * again.
 */
export async function withPermission<T>(
  name: string,
  shownOrigin: string,
  work: () => Promise<T>,
): Promise<T> {
  await setPermission(name, 'granted', shownOrigin);
  try {
    return await work();
  } finally {
    await setPermission(name, 'denied', shownOrigin);
  }
}

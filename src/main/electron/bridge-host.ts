import { isAbsolute } from 'node:path';
import { ipcMain, type BrowserWindow } from 'electron';
import { channels, maxFilesPerCall, type FileToGrant, type GrantReply } from '../../shared/bridge.ts';
import type { Reply } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Publisher } from '../ports.ts';
import { isTrustedSender } from './trusted-sender.ts';

export type BridgeHost = {
  /** The origin of our own page; calls from anywhere else are refused. */
  origin: string;
  /** Answers a call of the page. Never rejects. */
  router: (name: unknown, input: unknown) => Promise<Reply>;
  /** One opaque grant for each absolute path, in the same order. */
  grant: (paths: string[]) => Promise<string[]> | string[];
};

/**
 * The main process's side of the bridge: two channels, and every message's sender is checked before it is
 * looked at (Electron's security tutorial, 17). What a handler throws crosses as a message, so only AppFailures,
 * which hold nothing but a code, may be thrown here.
 */
export function hostBridge({ origin, router, grant }: BridgeHost): void {
  ipcMain.handle(channels.call, (event, name: unknown, input: unknown): Promise<Reply> | Reply =>
    isTrustedSender(event.senderFrame, origin)
      ? router(name, input)
      : { ok: false, error: { code: 'senderRefused' } },
  );

  ipcMain.handle(channels.grant, async (event, files: unknown): Promise<GrantReply> => {
    if (!isTrustedSender(event.senderFrame, origin)) throw new AppFailure({ code: 'senderRefused' });
    if (!isFileList(files))
      throw new AppFailure({ code: 'invalidInput', field: 'files', problem: 'notFiles' });
    const onDisk = files.filter((file) => isAbsolute(file.path));
    const refused = files.filter((file) => !isAbsolute(file.path)).map((file) => file.name);
    return { grants: await grant(onDisk.map((file) => file.path)), refused };
  });
}

/** Sends events to the window that `getWindow` answers, while there is one. */
export function createPublisher(getWindow: () => BrowserWindow | null): Publisher {
  return {
    publish: (event, payload) => {
      const window = getWindow();
      if (window && !window.isDestroyed()) window.webContents.send(channels.event, event, payload);
    },
  };
}

const isFileList = (value: unknown): value is FileToGrant[] =>
  Array.isArray(value) &&
  value.length <= maxFilesPerCall &&
  value.every(
    (file: unknown) =>
      typeof file === 'object' &&
      file !== null &&
      'name' in file &&
      typeof file.name === 'string' &&
      'path' in file &&
      typeof file.path === 'string',
  );

import { isAbsolute } from 'node:path';
import { ipcMain, type BrowserWindow } from 'electron';
import { channels, maxFilesPerCall, type FileToGrant, type GrantReply } from '../../shared/bridge.ts';
import type { Reply } from '../../shared/contract.ts';
import { AppFailure } from '../../shared/app-failure.ts';
import type { Publisher } from '../ports.ts';
import { isTrustedSender } from './trusted-sender.ts';

export type BridgeHost = {
  /** The origin of our page; calls from other origins are refused. */
  origin: string;
  /** Handles a call from the page. Never rejects. */
  router: (name: unknown, input: unknown) => Promise<Reply>;
  /** One opaque grant for each absolute path, in the same order. */
  grant: (paths: string[]) => Promise<string[]> | string[];
  /** Called directly in the event of the page's message, and may return only when the drag is over. */
  startDrag: () => void;
};

/**
 * The main process's side of the bridge: three channels, with the sender of every message verified first (Electron's
 * security tutorial, 17). Errors of handlers reach the page as messages, so only AppFailures may be thrown here: they
 * contain nothing but a code.
 */
export function hostBridge({ origin, router, grant, startDrag }: BridgeHost): void {
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

  ipcMain.on(channels.drag, (event) => {
    if (isTrustedSender(event.senderFrame, origin)) startDrag();
  });
}

/** Sends events to the window that `getWindow` returns, if any. */
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

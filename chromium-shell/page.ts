import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type * as Electron from 'electron';
import { theChromium } from './app.ts';
import type { CdpSession } from './cdp.ts';
import type { Frame } from './ipc-main.ts';
import { fromShown, originFromShown } from './protocol.ts';
import { sayOnce } from './refuse.ts';
import { createWire, decode, encode } from './wire.ts';
import { joinWorlds } from './join-worlds.ts';
import { runPreload } from './run-preload.ts';
import type { FromWindow, Shell } from './window-messages.ts';

/** The window's page: its worlds, and the messages between it and the main process. */
export type Page = {
  cdp: CdpSession;
  targetId: string;
  /** Calls a method of the page's shell. @param withGesture as if the person had clicked */
  call: <M extends keyof Shell>(
    method: M,
    args: Parameters<Shell[M]>,
    withGesture?: boolean,
  ) => Promise<unknown>;
  /** The same for a method that returns files: resolves with their paths on disk, '' for a file without one. */
  callForPaths: <M extends 'files' | 'chooseFiles'>(
    method: M,
    args: Parameters<Shell[M]>,
  ) => Promise<string[]>;
};

export type PageEvents = {
  said: (message: Exclude<FromWindow, { say: 'invoke' | 'send' | 'memory' }>) => void;
  sent: (channel: string, args: unknown[], sender: Frame) => void;
  invoked: (channel: string, args: unknown[], sender: Frame) => Promise<unknown>;
  /** The preload script ran in a new document. */
  joined: () => void;
};

const world = 'chromium-shell preload';

/** Attaches to the window's page, and runs `preload` (a path, or none) in every document that it shows. */
export async function openPage(preload: string | undefined, events: PageEvents): Promise<Page> {
  const { browser, session, targetId } = theChromium('BrowserWindow');
  const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
  const cdp = session(sessionId);
  const secret = randomBytes(16).toString('hex');
  const setup = { secret, filePrefix: `file-${secret}-`, binding: `say-${secret}` };
  const frames = new Map<string, string | undefined>();
  const contexts = new Map<number, { origin: string; frameId: string }>();
  let contextId: number | null = null;

  const frameOf = (id: number): Frame | null => {
    const context = contexts.get(id);
    if (!context) return null;
    const url = fromShown(`${context.origin}/`);
    const parentId = frames.get(context.frameId);
    const parent: Frame | null =
      parentId === undefined ? null : { url: '', origin: 'null', isDestroyed: () => false, parent: null };
    return { url, origin: originFromShown(context.origin), isDestroyed: () => false, parent };
  };

  const call: Page['call'] = async (method, args, withGesture = false) => {
    if (contextId === null) throw new Error(`the window has no page yet (${method})`);
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      contextId,
      expression: `shell.${method}(...${JSON.stringify(args)})`,
      awaitPromise: true,
      returnByValue: true,
      userGesture: withGesture,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value as unknown;
  };

  const callForPaths: Page['callForPaths'] = async (method, args) => {
    if (contextId === null) throw new Error(`the window has no page yet (${method})`);
    const objectGroup = `${method}-${randomBytes(4).toString('hex')}`;
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      contextId,
      expression: `shell.${method}(...${JSON.stringify(args)})`,
      awaitPromise: true,
      userGesture: true,
      objectGroup,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    const list = await cdp.send('Runtime.getProperties', {
      objectId: result.objectId ?? '',
      ownProperties: true,
    });
    const paths = list.result
      .filter((property) => /^\d+$/.test(property.name))
      .map(async ({ value }) =>
        value?.objectId ? (await cdp.send('DOM.getFileInfo', { objectId: value.objectId })).path : '',
      );
    const found = await Promise.all(paths);
    await cdp.send('Runtime.releaseObjectGroup', { objectGroup });
    return found;
  };

  /** As Electron's `private` on Linux (`private_footprint_kb`). The one page here has the largest renderer. */
  const memoryInfo = async (): Promise<Pick<Electron.ProcessMemoryInfo, 'private'>> => {
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    const anonymousKb = processInfo
      .filter(({ type }) => type === 'renderer')
      .map(({ id }) => {
        const status = readFileSync(`/proc/${String(id)}/status`, 'utf8');
        return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0);
      });
    return { private: Math.max(...anonymousKb) };
  };

  const tokens = new RegExp(`${setup.filePrefix}(\\d+)`, 'g');
  /** Inserts the paths where the preload script could only put tokens. */
  const withPaths = async (text: string): Promise<string> => {
    const ids = [...text.matchAll(tokens)].map((match) => Number(match[1]));
    if (ids.length === 0) return text;
    const paths = await callForPaths('files', [ids]);
    const byId = new Map(ids.map((id, index) => [id, paths[index] ?? '']));
    return text.replaceAll(tokens, (_token, id: string) => JSON.stringify(byId.get(Number(id))).slice(1, -1));
  };

  const receive = async (executionContextId: number, payload: string) => {
    const message = JSON.parse(payload) as FromWindow;
    if (message.say !== 'invoke' && message.say !== 'send' && message.say !== 'memory')
      return events.said(message);
    const sender = frameOf(executionContextId);
    if (!sender) return;
    if (message.say === 'send')
      return events.sent(message.channel, decode(await withPaths(message.args)) as unknown[], sender);
    const answer = async () => {
      if (message.say === 'memory') return memoryInfo();
      return events.invoked(message.channel, decode(await withPaths(message.args)) as unknown[], sender);
    };
    try {
      const value = await answer();
      await call('reply', [message.id, null, encode(value)]);
    } catch (cause) {
      await call('reply', [message.id, cause instanceof Error ? cause.message : String(cause), '']);
    }
  };

  cdp.on('Page.frameAttached', ({ frameId, parentFrameId }) => frames.set(frameId, parentFrameId));
  cdp.on('Page.frameDetached', ({ frameId }) => frames.delete(frameId));
  cdp.on('Runtime.executionContextsCleared', () => {
    contexts.clear();
    contextId = null;
  });
  cdp.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
    contexts.delete(executionContextId);
    if (contextId === executionContextId) contextId = null;
  });
  cdp.on('Runtime.executionContextCreated', ({ context }) => {
    const { frameId } = context.auxData as { frameId: string };
    if (context.name !== world) return;
    contexts.set(context.id, { origin: context.origin, frameId });
    if (frameId !== targetId) return;
    contextId = context.id;
    events.joined();
  });
  cdp.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
    if (name !== setup.binding) return;
    // The calling page has gone, so the result is not needed.
    receive(executionContextId, payload).catch((cause: unknown) =>
      sayOnce(`an answer was lost: ${String(cause)}`),
    );
  });

  const preloadSource = preload === undefined ? '' : readFileSync(preload, 'utf8');
  await cdp.send('Page.enable');
  await cdp.send('Inspector.enable');
  await cdp.send('Runtime.enable');
  await cdp.send('Runtime.addBinding', { name: setup.binding, executionContextName: world });
  // Only the top frame gets a preload script (nodeIntegrationInSubFrames is off).
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `if (top === window) (${joinWorlds.toString()})(${JSON.stringify(secret)}, 'page');`,
  });
  await cdp.send('Page.addScriptToEvaluateOnNewDocument', {
    worldName: world,
    source: `if (top === window) {
      const joint = (${joinWorlds.toString()})(${JSON.stringify(secret)}, 'preload');
      const wire = (${createWire.toString()})();
      const preload = (require, module, exports, process) => {${preloadSource}\n};
      (${runPreload.toString()})(${JSON.stringify(setup)}, joint, wire, preload);
    }`,
  });
  return { cdp, targetId, call, callForPaths };
}

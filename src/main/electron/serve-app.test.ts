import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { makeTestFolder } from '../../../test-support/main/test-ports.ts';
import { previewPolicy } from './content-security.ts';
import { registerAppScheme, serveApp } from './serve-app.ts';

type Handler = (request: Request) => Promise<Response>;
const shell = vi.hoisted(() => ({
  handlers: {} as Record<string, Handler>,
  passed: [] as unknown[][],
  schemes: [] as unknown[],
}));
vi.mock('electron', () => ({
  protocol: {
    registerSchemesAsPrivileged: (schemes: unknown[]) => shell.schemes.push(...schemes),
    handle: (scheme: string, handler: Handler) => {
      shell.handlers[scheme] = handler;
    },
  },
  net: {
    fetch: async (request: Request, options: unknown) => {
      shell.passed.push([request.url, options]);
      return new Response('from the server');
    },
  },
}));

const preview = async (ticket: string) => new Response(`preview ${ticket}`);
const ask = async (url: string) => {
  const answer = await shell.handlers[new URL(url).protocol.slice(0, -1)]?.(new Request(url));
  return { text: await answer?.text(), policy: answer?.headers.get('content-security-policy') };
};
beforeEach(() => Object.assign(shell, { handlers: {}, passed: [] }));

test('the scheme is standard and secure, and bypasses no policy', () => {
  registerAppScheme();
  expect(shell.schemes).toEqual([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
  ]);
});

test('serves the bundle and previews under one scheme, and handles no other', async () => {
  const folder = await makeTestFolder();
  writeFileSync(join(folder, 'index.html'), 'page');
  serveApp(folder, preview, 'app://coffer');
  expect(Object.keys(shell.handlers)).toEqual(['app']);
  expect(await ask('app://coffer/index.html')).toMatchObject({ text: 'page' });
  expect(await ask('app://coffer/preview/t1')).toEqual({ text: 'preview t1', policy: previewPolicy });
});

// net.fetch: custom protocol handlers are not called "when bypassCustomProtocolHandlers is set in RequestInit".
test("in development serves previews, and passes on the server's requests", async () => {
  serveApp('/nowhere', preview, 'http://localhost:5173');
  expect(await ask('http://localhost:5173/preview/t1')).toEqual({
    text: 'preview t1',
    policy: previewPolicy,
  });
  for (const url of ['http://localhost:5173/src/main.tsx', 'http://localhost:9999/preview/t1']) {
    expect(await ask(url)).toEqual({ text: 'from the server', policy: null });
    expect(shell.passed.pop()).toEqual([url, { bypassCustomProtocolHandlers: true }]);
  }
});

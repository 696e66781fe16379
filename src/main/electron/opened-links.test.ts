import { EventEmitter } from 'node:events';
import { beforeEach, expect, test, vi } from 'vitest';
import { collectLinks, registerLinks } from './opened-links.ts';

const app = vi.hoisted(() => ({ current: {} as EventEmitter & { isPackaged?: boolean } }));
vi.mock('electron', () => ({
  get app() {
    return app.current;
  },
}));
const register = vi.fn<(scheme: string, path: string, args: string[]) => boolean>();

beforeEach(() => {
  register.mockClear();
  app.current = Object.assign(new EventEmitter(), { isPackaged: true, setAsDefaultProtocolClient: register });
});

test('keeps links that come before anybody takes them, in their order', () => {
  const links = collectLinks();
  const preventDefault = vi.fn<() => void>();
  app.current.emit('open-url', { preventDefault }, 'coffer://object?1');
  links.readArguments([
    '/opt/Coffer/coffer-desktop',
    '--allow-file-access',
    '--',
    'COFFER://object?2',
    'a.txt',
  ]);
  const opened: string[] = [];
  links.deliverTo((link) => opened.push(link));
  app.current.emit('open-url', { preventDefault }, 'coffer://object?3');
  expect(opened).toEqual(['coffer://object?1', 'COFFER://object?2', 'coffer://object?3']);
  expect(preventDefault).toHaveBeenCalledTimes(2);
});

test.each([
  ['win32', true, [['coffer', process.execPath, ['--']]]],
  ['win32', false, []],
  ['linux', true, []],
  ['darwin', true, []],
])(
  'on %s, packaged %s, the scheme is registered by Coffer only where no package does',
  (system, isPackaged, calls) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(system as NodeJS.Platform);
    app.current.isPackaged = isPackaged;
    registerLinks();
    vi.restoreAllMocks();
    expect(register.mock.calls).toEqual(calls);
  },
);

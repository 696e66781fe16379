import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestLog } from '../../../test-support/main/test-ports.ts';
import type { CrashNotes } from '../crashes/crash-notes.ts';
import type * as lastResort from './fatal-handler.ts';

const shell = vi.hoisted(() => ({
  boxes: [] as [string, string][],
  exits: [] as number[],
  isReady: true,
  ready: Promise.withResolvers<void>(),
}));
vi.mock('electron', () => ({
  app: {
    isReady: () => shell.isReady,
    whenReady: () => shell.ready.promise,
    exit: (code: number) => shell.exits.push(code),
  },
  dialog: { showErrorBox: (title: string, text: string) => shell.boxes.push([title, text]) },
}));

const crashes = { note: vi.fn<CrashNotes['note']>(), end: vi.fn<CrashNotes['end']>() };
type Listener = (cause: unknown) => void;
const listeners: Record<string, Listener> = {};
let own: typeof lastResort;
beforeEach(async () => {
  vi.resetModules();
  Object.assign(shell, { boxes: [], exits: [], isReady: true });
  vi.spyOn(process, 'on').mockImplementation((event, listener) => {
    listeners[String(event)] = listener as Listener;
    return process;
  });
  own = await import('./fatal-handler.ts');
  own.endOnFailure();
});
afterEach(() => vi.restoreAllMocks());

test('logs an uncaught error, shows that once, and exits with 1', () => {
  const log = createTestLog();
  own.reportTo(log, crashes);
  listeners['uncaughtException']?.(new Error('first'));
  listeners['uncaughtException']?.(new Error('second'));
  expect(shell.boxes).toEqual([['Coffer stopped', expect.stringMatching(/^Coffer has to quit.*first$/s)]]);
  expect(shell.exits).toEqual([1]);
  expect(log.lines.join()).toMatch(/Coffer ended because of this .*first/);
  expect(crashes.note.mock.calls).toEqual([['app', expect.objectContaining({ message: 'first' })]]);
  expect(crashes.end).toHaveBeenCalledOnce();
});

test('before Electron is ready it reports that Coffer cannot start', () => {
  shell.isReady = false;
  listeners['uncaughtException']?.(new Error('no folder'));
  expect([shell.boxes, shell.exits]).toEqual([[['Coffer can’t start', 'no folder']], [1]]);
});

test('says at once on stderr that a data folder cannot be written, then in one box, and exits with 1', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const ended = own.refuseStart({ kind: 'unwritable', folder: '/data', code: 'EACCES' }, async () => {
    shell.boxes.push(['language', '']);
  });
  expect([String(said.mock.calls[0]?.[0]), shell.exits]).toEqual([
    expect.stringMatching(/^Coffer can’t start\. .*\/data \(EACCES\).*--user-data-dir=FOLDER\.\n$/),
    [],
  ]);
  shell.ready.resolve();
  await ended;
  expect(shell.boxes).toEqual([
    ['language', ''],
    ['Coffer can’t start', expect.stringContaining('/data (EACCES)')],
  ]);
  expect(shell.exits).toEqual([1]);
});

test('names a lock of another computer, and says what to do', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const ended = own.refuseStart(
    { kind: 'elsewhere', host: 'attic', lock: '/data/SingletonLock' },
    async () => {},
  );
  shell.ready.resolve();
  await ended;
  expect(shell.boxes).toEqual([
    ['Coffer can’t start', expect.stringMatching(/another computer, attic\..*delete \/data\/SingletonLock/)],
  ]);
  expect(shell.exits).toEqual([1]);
});

test('a terminal that was closed, and an unhandled rejection do not end it', () => {
  const log = createTestLog();
  own.reportTo(log, crashes);
  listeners['uncaughtException']?.(
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' }),
  );
  listeners['unhandledRejection']?.(new Error('late'));
  expect([shell.boxes, shell.exits, log.lines.length]).toEqual([[], [], 2]);
});

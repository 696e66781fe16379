import { EventEmitter } from 'node:events';
import type { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestLog } from '../../../test-support/main/test-ports.ts';
import {
  createQuitGuard,
  questionOf,
  type AtStake,
  type OpenEdit,
  type QuitGuard,
  type QuitGuardOptions,
} from './quit-guard.ts';

const electron = vi.hoisted(() => ({
  asked: [] as { buttons: string[]; hasParent: boolean }[],
  /** The button to press; null: no dialog can be shown; 'nothing': it stays open. */
  press: 'Cancel' as string | null,
  quits: 0,
  listeners: [] as string[],
  onShutdown: (): void => undefined,
}));
vi.mock('electron', () => ({
  app: { quit: () => (electron.quits += 1), on: () => undefined },
  powerMonitor: {
    on(event: string, listener: () => void) {
      electron.listeners.push(event);
      if (event === 'shutdown') electron.onShutdown = listener;
    },
  },
  dialog: {
    showMessageBox: async (...args: { buttons: string[] }[]) => {
      const question = args.at(-1);
      electron.asked.push({ buttons: question?.buttons ?? [], hasParent: args.length === 2 });
      if (electron.press === null) throw new Error('no dialog here');
      if (electron.press === 'nothing') return new Promise(() => undefined);
      return { response: question?.buttons.indexOf(electron.press) };
    },
  },
}));
vi.mock('./window.ts', () => ({
  focusWindow: () => undefined,
  hideWindow(window: Window, onHidden: () => void) {
    window.hide();
    onHidden();
  },
}));

class Window extends EventEmitter {
  isShown = true;
  /** macOS: another window covers it. */
  isCovered = false;
  isVisible = () => this.isShown;
  hide = () => {
    this.isShown = false;
    if (!this.isCovered) this.emit('hide');
  };
  show = (): void => {
    this.isShown = true;
    this.emit('show');
  };
  /** Like closing it by hand: false when vetoed. */
  close(): boolean {
    let isVetoed = false;
    this.emit('close', { preventDefault: () => (isVetoed = true) });
    return !isVetoed;
  }
}

const job: AtStake = { identifier: 'a.bin', windowEndsAtMs: 5 * 60_000 };
let open: AtStake[];
let edits: OpenEdit[];
let keepsRunning: boolean;
let window: Window;
let isGone: boolean;
let notified: { title: string; body: string }[];
let isBusy: boolean;
let showsIcon: boolean;
let wasTold: boolean;
let isHidden: boolean | null;
let servesCommands: boolean;
let showsSigns: boolean;

const background: QuitGuardOptions['coffer']['background'] = {
  keepsRunning: () => keepsRunning,
  showsIcon: () => showsIcon,
  isBusy: () => isBusy,
  isFirstTime() {
    const isFirst = !wasTold;
    wasTold = true;
    return isFirst;
  },
};

function leavingOf(): QuitGuard {
  // The part of a window that quitting uses.
  const asElectrons = window as unknown as BrowserWindow;
  const leaving = createQuitGuard({
    getWindow: () => (isGone ? null : asElectrons),
    coffer: { atStake: () => open, openEdits: () => edits, background, servesCommands: () => servesCommands },
    tray: { windowHidden: (latest) => (isHidden = latest) },
    desktop: { notify: (shown) => notified.push(shown) },
    showsSigns: async () => showsSigns,
    log: createTestLog(),
  });
  leaving.guard(asElectrons);
  return leaving;
}
const settle = () => new Promise((resolve) => setImmediate(resolve));
/** @returns false when vetoed */
async function close(): Promise<boolean> {
  const isClosed = window.close();
  await settle();
  return isClosed;
}

beforeEach(() => {
  [open, edits, keepsRunning, isGone, notified] = [[job], [], false, false, []];
  [isBusy, showsIcon, wasTold, isHidden, servesCommands] = [false, false, false, null, false];
  showsSigns = true;
  window = new Window();
  Object.assign(electron, { asked: [], press: 'Cancel', quits: 0 });
});
afterEach(() => {
  vi.clearAllMocks();
  vi.useRealTimers();
});

test('does not ask when nothing is open', async () => {
  open = [];
  keepsRunning = true;
  const leaving = leavingOf();
  expect([window.close(), await leaving.mayQuit(), electron.asked]).toEqual([true, true, []]);
});

test.each([
  ['Keep running in the background', false, 0],
  ['Quit', true, 1],
  ['Cancel', true, 0],
])(
  'where the desktop shows neither icon nor notifications, closing asks in place of hiding without a word, and "%s" is done',
  async (button, isShown, quits) => {
    [open, isBusy, keepsRunning, showsSigns] = [[], true, true, false];
    electron.press = button;
    leavingOf();
    expect([await close(), window.isShown, electron.quits]).toEqual([false, isShown, quits]);
    expect(electron.asked).toEqual([
      { buttons: ['Keep running in the background', 'Quit', 'Cancel'], hasParent: true },
    ]);
  },
);

test('the question there says how the window comes back, whether or not something is at stake', () => {
  const { message, detail } = questionOf([], 0, [], true);
  expect(message).toBe('Keep running without a window?');
  expect(detail).toMatch(/start Coffer again/);
  expect(questionOf([job], 0, [], true)).toMatchObject({
    message: 'Quit with 1 deferred request open?',
    detail: expect.stringMatching(/start Coffer again[^]*a\.bin/),
  });
});

test('closing hides the window if set so, and says once that Coffer keeps running', async () => {
  keepsRunning = true;
  leavingOf();
  expect([await close(), window.isShown, isHidden]).toEqual([false, false, true]);
  expect([electron.asked, notified.map(({ title }) => title)]).toEqual([
    [],
    ['Coffer continues in the background'],
  ]);
  expect(notified[0]?.body).toMatch(/^It quits when everything under way is done\./);
  window.show();
  expect(isHidden).toBe(false);
  expect([await close(), isHidden, notified.length]).toEqual([false, true, 1]);
});

// electron_ns_window_delegate.mm, windowDidChangeOcclusionState.
test('on macOS, where a covered window tells nothing when it hides and another one covers it with `hide`', async () => {
  electron.press = 'Keep running in the background';
  const leaving = leavingOf();
  window.emit('hide');
  window.emit('show');
  expect(isHidden).toBe(false);
  window.isCovered = true;
  expect([await leaving.mayQuit(), isHidden, notified.length]).toEqual([false, true, 1]);
  // A late event from before the window was hidden.
  window.emit('show');
  expect(isHidden).toBe(true);
  window.emit('focus');
  expect(isHidden).toBe(false);
  window.isCovered = false;
  window.show();
  window.emit('hide');
  expect([isHidden, notified.length]).toEqual([false, 1]);
});

test.each([
  ['transfers that go on', () => (isBusy = true)],
  ['an icon that is always there', () => (showsIcon = true)],
])(
  'closing with %s hides the window if set so, and quits without a question otherwise',
  async (_what, set) => {
    open = [];
    set();
    const leaving = leavingOf();
    expect([await close(), isHidden]).toEqual([true, null]);
    keepsRunning = true;
    expect([await close(), isHidden]).toEqual([false, true]);
    // Nothing would be lost.
    expect([await leaving.mayQuit(), electron.asked]).toEqual([true, []]);
  },
);

async function hideFor(set: () => void): Promise<void> {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  [open, keepsRunning] = [[], true];
  set();
  leavingOf();
  expect([await close(), isHidden]).toEqual([false, true]);
  vi.advanceTimersByTime(3_600_000);
  expect(electron.quits).toBe(0);
}

test.each([
  ['transfers', () => void (isBusy = true), () => void (isBusy = false)],
  ['a deferred request', () => void (open = [job]), () => void (open = [])],
  ['an edit', () => void (edits = [{ identifier: 'a', isSaved: true }]), () => void (edits = [])],
])(
  'a window that was hidden for %s quits soon after the end of it, without a question',
  async (_what, set, end) => {
    await hideFor(set);
    end();
    vi.advanceTimersByTime(4_000);
    expect(electron.quits).toBe(0);
    vi.advanceTimersByTime(6_000);
    expect([electron.quits, electron.asked]).toEqual([1, []]);
  },
);

test.each([
  ['the icon is always there', () => (showsIcon = true)],
  ['a command is connected', () => (servesCommands = true)],
  ['the window was shown again', () => window.show()],
])('it does not quit by itself while %s', async (_what, happen) => {
  await hideFor(() => (isBusy = true));
  happen();
  isBusy = false;
  vi.advanceTimersByTime(3_600_000);
  expect(electron.quits).toBe(0);
});

test('a pause between two transfers is not the end', async () => {
  await hideFor(() => (isBusy = true));
  isBusy = false;
  vi.advanceTimersByTime(5_000);
  isBusy = true;
  vi.advanceTimersByTime(5_000);
  isBusy = false;
  vi.advanceTimersByTime(5_000);
  expect(electron.quits).toBe(0);
});

test.each([
  ['Keep running in the background', false, 0],
  ['Quit', true, 1],
  ['Cancel', true, 0],
])('closing asks, and "%s" is done', async (button, isShown, quits) => {
  electron.press = button;
  const leaving = leavingOf();
  expect(window.close()).toBe(false);
  await settle();
  expect([window.isShown, electron.quits, electron.asked.length]).toEqual([isShown, quits, 1]);
  // After Quit there is no further question.
  expect(quits === 0 || (await leaving.mayQuit())).toBe(true);
  expect(electron.asked).toHaveLength(1);
});

test('quitting asks once, even if repeated or if closing would hide', async () => {
  keepsRunning = true;
  const leaving = leavingOf();
  const answers = Promise.all([leaving.mayQuit(), leaving.mayQuit()]);
  expect([await answers, electron.asked.length]).toEqual([[false, false], 1]);
  electron.press = 'Quit';
  expect([await leaving.mayQuit(), window.close()]).toEqual([true, true]);
});

test('quitting with a hidden window asks without it', async () => {
  keepsRunning = true;
  const leaving = leavingOf();
  await close();
  await leaving.mayQuit();
  expect(electron.asked).toMatchObject([{ hasParent: false }]);
});

test.each([
  ['the window is gone', () => (isGone = true)],
  ['no question can be asked', () => (electron.press = null)],
  ['the system goes down', () => electron.onShutdown()],
  ['a signal came', (leaving: QuitGuard) => leaving.agree()],
])('it ends when %s', async (_why, happen) => {
  const leaving = leavingOf();
  happen(leaving);
  expect(await leaving.mayQuit()).toBe(true);
});

// Otherwise Electron does not register with logind (lib/browser/api/power-monitor.ts).
test('the shutdown is not the first that is listened for', () => {
  electron.listeners = [];
  leavingOf();
  expect(electron.listeners).toEqual(['suspend', 'shutdown']);
});

// powerMonitor emits `shutdown` once, and nothing if the person then cancels the logout.
test('forgets a cancelled logout after a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const leaving = leavingOf();
  electron.onShutdown();
  vi.advanceTimersByTime(59_000);
  expect(window.close()).toBe(true);
  vi.advanceTimersByTime(2_000);
  expect([window.close(), await leaving.mayQuit()]).toEqual([false, false]);
});

test('quitting at the end of the session needs no second agreement, however long it takes', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const leaving = leavingOf();
  electron.onShutdown();
  vi.advanceTimersByTime(59_000);
  expect(await leaving.mayQuit()).toBe(true);
  vi.advanceTimersByTime(5_000);
  expect(window.close()).toBe(true);
});

test.each([
  ['a signal', (leaving: QuitGuard) => leaving.agree()],
  ['the end of the session', () => electron.onShutdown()],
])('%s answers a question that is open', async (_what, happen) => {
  electron.press = 'nothing';
  const leaving = leavingOf();
  const answer = leaving.mayQuit();
  happen(leaving);
  expect([await answer, window.close()]).toEqual([true, true]);
});

test('the question names what is lost first, and not a thousand names', () => {
  const nowMs = 1_000_000;
  const many = Array.from({ length: 20 }, (_, index) => ({
    identifier: `object ${index}`,
    windowEndsAtMs: index === 0 ? null : nowMs + (20 - index) * 60_000 - 1,
  }));
  const { message, detail, buttons, cancelId } = questionOf(many, nowMs);
  expect(message).toBe('Quit with 19 deferred requests open and 1 secret not sent?');
  expect(detail?.split('\n').slice(3, 5)).toEqual([
    '•  object 19, less than a minute left',
    '•  object 18, 1 min left',
  ]);
  expect(detail).toMatch(/object 12, 7 min left\nand 12 more$/);
  expect(buttons[cancelId ?? -1]).toBe('Cancel');
});

test('Enter never quits', () => {
  const { buttons, defaultId } = questionOf([job], 0);
  expect(buttons[defaultId ?? -1]).toBe('Keep running in the background');
});

test('the question distinguishes requests and secrets, and what is lost', () => {
  const ask = (...atStake: AtStake[]) => questionOf(atStake, 0);
  const secret = { ...job, identifier: 'ci/key', windowEndsAtMs: null };
  expect(ask(job)).toMatchObject({
    message: 'Quit with 1 deferred request open?',
    detail: expect.stringMatching(/^A result that isn’t fetched in time is lost\.\n[^]*a\.bin, 5 min left$/),
  });
  expect(ask(secret, secret)).toMatchObject({
    message: 'Quit with 2 secrets not sent?',
    detail: expect.stringMatching(
      /^A secret that hasn’t been sent is lost[^]*ci\/key, a secret that hasn’t been sent$/,
    ),
  });
});

test('lists open edits alone too, with saves that are not uploaded yet', async () => {
  open = [];
  edits = [
    { identifier: 'a/saved.txt', isSaved: true },
    { identifier: 'a/minutes.txt', isSaved: false },
  ];
  leavingOf();
  expect(window.close()).toBe(false);
  await settle();
  expect(electron.asked).toHaveLength(1);
  const { message, detail } = questionOf([], 0, edits);
  expect(message).toBe('Quit with 2 open edits?');
  expect(detail?.replace(/[\u2068\u2069]/gu, '').split('\n')).toEqual([
    '1 save isn’t uploaded yet. It is kept, and uploaded when Coffer starts again.',
    '',
    '•  a/minutes.txt, a save that isn’t uploaded yet',
    '•  a/saved.txt, open for editing',
  ]);
  const all = questionOf([job, { identifier: 's', windowEndsAtMs: null }], 0, edits);
  expect(all.message).toBe('Quit with 1 deferred request open, 1 secret not sent and 2 open edits?');
  expect(questionOf([], 0, edits.slice(0, 1)).detail).toContain('What you save while Coffer is closed');
});

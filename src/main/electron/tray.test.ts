import type { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTestLog } from '../../../test-support/main/test-ports.ts';
import { chooseLanguage, setLanguage } from '../../shared/i18n/language.ts';
import { addCatalogue } from '../../shared/i18n/messages.ts';
import { Emitter } from '../lib/emitter.ts';
import { keepTray, type TrayKeeper } from './tray.ts';

type Item = { id?: string; label?: string; click?: () => void };
type TestTray = EventEmitter & { tip: string; items: Item[]; exported: (string | undefined)[][] };

const electron = vi.hoisted(() => ({ trays: [] as TestTray[], refused: 0, mayShow: true, quits: 0 }));
vi.mock('electron', async () => {
  const { EventEmitter: Base } = await import('node:events');
  class Tray extends Base implements TestTray {
    tip = '';
    items: Item[] = [];
    /** The labels at each `setContextMenu`: on Linux the desktop sees these; elsewhere they are read when the menu opens. */
    exported: (string | undefined)[][] = [];
    constructor() {
      super();
      if (!electron.mayShow) {
        electron.refused += 1;
        throw new Error('no tray here');
      }
      electron.trays.push(this);
    }
    setToolTip(tip: string) {
      this.tip = tip;
    }
    setContextMenu({ items }: { items: Item[] }) {
      this.items = items;
      this.exported.push(items.filter(({ label }) => label).map(({ label }) => label));
    }
    isDestroyed = () => !electron.trays.includes(this);
    destroy() {
      electron.trays.splice(electron.trays.indexOf(this), 1);
    }
  }
  return {
    app: { name: 'Coffer', quit: () => (electron.quits += 1) },
    Menu: {
      buildFromTemplate: (items: Item[]) => ({
        items,
        getMenuItemById: (id: string) => items.find((item) => item.id === id) ?? null,
      }),
    },
    Tray,
  };
});
vi.mock('./tray-icon.ts', () => ({ makeTrayIcon: () => null }));

addCatalogue('de', { 'main.tray.pause': 'Alle anhalten' });

let changed: Emitter<[]>;
let line: string;
let isPaused: boolean;
let showsIcon: boolean;
let canPause: boolean;
/** The actions that the menu requested, in order. */
let done: unknown[];

function open(platform: NodeJS.Platform): TrayKeeper {
  return keepTray(
    {
      background: {
        showsIcon: () => showsIcon,
        status: () => ({ line, isPaused }),
        onChanged: changed.event,
      },
      async setPaused(latest) {
        done.push({ isPaused: latest });
        if (canPause) isPaused = latest;
      },
      showWindow: () => done.push('shown'),
      give: (command) => done.push(command),
      onFiles: (paths) => done.push(paths),
      log: createTestLog(),
    },
    platform,
  );
}
function icon(): TestTray {
  const [tray] = electron.trays;
  if (!tray) throw new Error('there is no icon');
  return tray;
}
const click = (label: string) =>
  icon()
    .items.find((item) => item.label === label)
    ?.click?.();
const labels = () => icon().items.flatMap((item) => item.label ?? []);
function say(latest: string): void {
  line = latest;
  changed.fire();
}

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(electron, { trays: [], refused: 0, mayShow: true, quits: 0 });
  changed = new Emitter();
  [line, isPaused, showsIcon, canPause, done] = ['3 moving', false, true, true, []];
});
afterEach(() => {
  vi.useRealTimers();
  setLanguage(chooseLanguage('en', []));
});

test('the icon is there while the window is hidden, and always if set so', () => {
  showsIcon = false;
  const tray = open('win32');
  expect(electron.trays).toHaveLength(0);
  tray.windowHidden(true);
  expect(electron.trays).toHaveLength(1);
  tray.windowHidden(false);
  expect(electron.trays).toHaveLength(0);
  showsIcon = true;
  changed.fire();
  tray.windowHidden(true);
  tray.windowHidden(false);
  expect(electron.trays).toHaveLength(1);
  showsIcon = false;
  changed.fire();
  expect(electron.trays).toHaveLength(0);
});

test('each item does what it says', async () => {
  open('win32');
  expect(labels()).toEqual(['3 moving', 'Open Coffer', 'Pause all', 'Upload files…', 'Quit']);
  for (const label of labels()) click(label);
  expect(done).toEqual(['shown', 'dock.transfers', 'shown', { isPaused: true }, 'shown', 'upload']);
  expect(electron.quits).toBe(1);
  await Promise.resolve();
  expect(labels()).toContain('Resume all');
});

test('a click pauses if the menu said so, even if it was paused in the window just now', () => {
  open('win32');
  isPaused = true;
  changed.fire();
  click('Pause all');
  expect(done).toEqual([{ isPaused: true }]);
});

test('the menu says what is so, not what was asked for', async () => {
  open('win32');
  canPause = false;
  click('Pause all');
  await Promise.resolve();
  expect(labels()).toContain('Pause all');
});

test('a click on the icon shows the window, which takes files dropped on the icon', () => {
  open('darwin');
  icon().emit('click');
  icon().emit('drop-files', {}, ['/a', '/b']);
  expect(done).toEqual(['shown', ['/a', '/b']]);
});

// electron/electron#49678: macOS and Windows read the labels when the menu opens.
test.each(['darwin', 'win32'] as const)('on %s labels change in the one menu, once a second', (platform) => {
  open(platform);
  expect(icon().tip).toBe('Coffer\n3 moving');
  for (let at = 0; at < 10; at += 1) say(`${at} moving`);
  expect(labels()[0]).toBe('3 moving');
  vi.advanceTimersByTime(1_000);
  expect([labels()[0], icon().tip, icon().exported.length]).toEqual(['9 moving', 'Coffer\n9 moving', 1]);
});

// docs/api/tray.md: "you have to call setContextMenu again". That redraws an open menu.
test('sets the menu again on Linux only when something has changed, and not often', () => {
  open('linux');
  expect(icon().tip).toBe('Coffer');
  for (let at = 0; at < 10; at += 1) {
    say(`${at} moving`);
    vi.advanceTimersByTime(400);
  }
  expect(icon().exported).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(icon().exported.map(([first]) => first)).toEqual(['3 moving', '9 moving']);
  for (let at = 0; at < 100; at += 1) {
    changed.fire();
    vi.advanceTimersByTime(1_000);
  }
  expect([icon().exported.length, icon().tip]).toEqual([2, 'Coffer']);
});

test('the menu follows the language, and nothing is written after the icon is gone', async () => {
  const tray = open('linux');
  setLanguage(chooseLanguage('de', []));
  expect(icon().exported).toHaveLength(2);
  expect(labels()).toContain('Alle anhalten');
  const gone = icon();
  say('soon');
  click('Alle anhalten');
  showsIcon = false;
  changed.fire();
  vi.advanceTimersByTime(10_000);
  setLanguage(chooseLanguage('en', []));
  await Promise.resolve();
  expect([electron.trays.length, gone.exported.length]).toEqual([0, 2]);
  tray.windowHidden(true);
  expect(labels()[0]).toBe('soon');
});

test('tries once where no icon can be shown', () => {
  electron.mayShow = false;
  open('linux');
  for (let at = 0; at < 10; at += 1) changed.fire();
  expect(electron.refused).toBe(1);
});

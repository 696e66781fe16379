import { EventEmitter } from 'node:events';
import type { BrowserWindow, MenuItemConstructorOptions } from 'electron';
import { beforeEach, expect, test, vi } from 'vitest';
import { showContextMenus } from './context-menu.ts';

const shown = vi.hoisted(() => [] as { items: MenuItemConstructorOptions[]; options: object }[]);
vi.mock('electron', () => ({
  Menu: {
    buildFromTemplate: (items: MenuItemConstructorOptions[]) => ({
      popup: (options: object) => void shown.push({ items, options }),
    }),
  },
}));

const none = {
  canUndo: false,
  canRedo: false,
  canCut: false,
  canCopy: false,
  canPaste: false,
  canSelectAll: false,
};

/** Emits Chromium's event for a right click that the page has not prevented. */
function press(params: object): void {
  const webContents = new EventEmitter();
  showContextMenus({ webContents } as unknown as BrowserWindow);
  const usual = {
    isEditable: false,
    selectionText: '',
    editFlags: none,
    menuSourceType: 'mouse',
    x: 7,
    y: 8,
  };
  webContents.emit('context-menu', {}, { ...usual, ...params });
}

beforeEach(() => shown.splice(0));

test('in a field offers what Chromium says can be done', () => {
  press({ isEditable: true, editFlags: { ...none, canPaste: true, canSelectAll: true } });
  expect(shown[0]?.items.map(({ role, enabled }) => `${role ?? '-'} ${enabled ?? ''}`)).toEqual([
    'undo false',
    'redo false',
    '- ',
    'cut false',
    'copy false',
    'paste true',
    '- ',
    'selectAll true',
  ]);
});

test('copies a selected text, and offers nothing where there is none', () => {
  press({ selectionText: 'sha256', editFlags: { ...none, canCopy: true } });
  expect(shown.map(({ items }) => items.map(({ role }) => role))).toEqual([['copy']]);
  press({});
  press({ selectionText: ' ', editFlags: { ...none, canCopy: true } });
  expect(shown).toHaveLength(1);
});

test('opens the menu beside the field for the keyboard, and hands the text to no service of macOS', () => {
  press({ isEditable: true, menuSourceType: 'keyboard', frame: {} });
  press({ isEditable: true, frame: {} });
  const [keyboard, mouse] = shown.map(({ options }) => options);
  expect(keyboard).toMatchObject({ x: 7, y: 8, sourceType: 'keyboard' });
  expect(mouse).not.toHaveProperty('x');
  for (const options of [keyboard, mouse]) expect(options).not.toHaveProperty('frame');
});

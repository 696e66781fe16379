import { describe, expect, it } from 'vitest';
import { chooseLanguage, setLanguage } from '../../shared/i18n/language.ts';
import { commandOf, keysOf, shownChord } from './key-bindings.ts';

const press = (key: string, over: Partial<KeyboardEvent> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...over,
});

describe('key bindings', () => {
  it('give the commands of the keyboard table', () => {
    const control = { ctrlKey: true };
    expect(commandOf(press('/'), false)).toBe('search');
    expect(commandOf(press('/', { shiftKey: true }), false)).toBe('search');
    expect(
      ['f', 'u', 'd', 'k', '1', '2', '3', ','].map((key) => commandOf(press(key, control), false)),
    ).toEqual([
      'search',
      'upload',
      'download',
      'palette',
      'dock.details',
      'dock.transfers',
      'dock.jobs',
      'settings',
    ]);
    expect(commandOf(press('F5'), false)).toBe('check');
    expect(commandOf(press('U', { ...control, shiftKey: true }), false)).toBe('uploadFolder');
    expect(commandOf(press('?', { shiftKey: true }), false)).toBe('shortcuts');
  });

  it('ignore characters in text fields, and other chords', () => {
    expect(commandOf(press('/'), true)).toBeNull();
    expect(commandOf(press('?', { shiftKey: true }), true)).toBeNull();
    expect(commandOf(press('k', { ctrlKey: true }), true)).toBe('palette');
    expect(commandOf(press('k'), false)).toBeNull();
    expect(commandOf(press('d', { ctrlKey: true, shiftKey: true }), false)).toBeNull();
    expect(commandOf(press('d', { altKey: true }), false)).toBeNull();
  });

  it('goes through the places, but moves the caret and deletes in text fields', () => {
    const [up, back, forward] = ['Up', 'Left', 'Right'].map((way) => press(`Arrow${way}`, { altKey: true }));
    const commands = () =>
      [up, back, forward, press('Backspace')].map((each) => each && commandOf(each, false));
    expect(commands()).toEqual(['up', 'back', 'forward', 'up']);
    expect(commandOf(press('Backspace'), true)).toBeNull();
    expect(commandOf(press('ArrowLeft', { altKey: true }), true)).toBeNull();
    setLanguage(chooseLanguage('ar', []));
    expect(commands()).toEqual(['up', 'forward', 'back', 'up']);
    setLanguage(chooseLanguage('en', []));
    expect(['Alt+ArrowLeft', 'Alt+ArrowRight'].map(shownChord)).toEqual(['Alt+←', 'Alt+→']);
  });

  it('shows them as on the keys', () => {
    const commands = ['palette', 'search', 'delete', 'uploadFolder', 'addKnown'] as const;
    expect(commands.map(keysOf)).toEqual(['Ctrl+K', '/', 'Delete', 'Ctrl+Shift+U', undefined]);
    expect(['Shift+ArrowUp', ' ', 'Escape'].map(shownChord)).toEqual(['Shift+↑', 'Space', 'Esc']);
  });
});

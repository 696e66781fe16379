import { useEffect } from 'react';
import { languageInForce } from '../../shared/i18n/language.ts';
import { type Chords, commandKeys, isPressed, listKeys, type Press } from '../../shared/keys.ts';
import { commonTexts } from '../i18n/common-texts.ts';
import { announce } from '../ui/announce.tsx';
import { useClient } from './client.ts';
import { type Command, runCommand } from './commands.ts';

/**
 * The direction of an arrow key along the line; left and right swap in right-to-left languages. null: not along the
 * line.
 */
export function inlineKey(key: string): 'start' | 'end' | null {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  return (key === 'ArrowRight') === isFromLeft() ? 'end' : 'start';
}

/** The edge of a box at which its line begins, in pixels of the window. */
export function inlineStart({ left, right }: Pick<DOMRect, 'left' | 'right'>): number {
  return isFromLeft() ? left : right;
}

/** Converts a distance to the right into one along the line, in pixels. */
export function alongLine(px: number): number {
  return isFromLeft() ? px : -px;
}

/** Whether the language is written from left to right. */
export function isFromLeft(): boolean {
  return languageInForce().direction === 'ltr';
}

export const isMac = /Mac/.test(navigator.userAgent);

const keysByCommand: Partial<Record<Command, Chords>> = {
  ...commandKeys,
  open: listKeys.open,
  details: listKeys.details,
  delete: listKeys.delete,
  selectAll: listKeys.all,
};

/** The shortcut of a command for `KeyHint`, such as `Ctrl+K`. */
export function keysOf(command: Command): string | undefined {
  const chords = keysByCommand[command];
  return chords && shownChord(chords[0]);
}

/** Of macOS, beside those of the table. */
const macKeys: Partial<Record<string, readonly string[]>> = { up: ['Mod+ArrowUp'] };

const caps: Readonly<Record<string, string>> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  ' ': 'Space',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Backspace: isMac ? '⌫' : 'Backspace',
  PageUp: 'Page Up',
  PageDown: 'Page Down',
  Alt: isMac ? '⌥' : 'Alt',
  Escape: 'Esc',
  ContextMenu: 'Menu',
};

const towardsStart = () => (isFromLeft() ? '←' : '→');
const towardsEnd = () => (isFromLeft() ? '→' : '←');

/** A chord with the labels of this platform's keyboard. */
export function shownChord(chord: string): string {
  return chord
    .split('+')
    .map((key) => {
      if (key === 'ArrowLeft') return towardsStart();
      return key === 'ArrowRight' ? towardsEnd() : (caps[key] ?? key);
    })
    .join('+');
}

/** They move the caret or delete, whatever is held. */
const editsText = new Set(['Backspace', 'ArrowUp', 'ArrowLeft', 'ArrowRight']);

/** The command of a key press; while a person types, only shortcuts that type no character, and not the field's own Undo. */
export function commandOf(press: Press, isTyping: boolean): Command | null {
  const withMod = isMac ? press.metaKey : press.ctrlKey;
  const isOther = isMac ? press.ctrlKey : press.metaKey;
  if (isOther || (isTyping && (editsText.has(press.key) || (!withMod && press.key.length === 1))))
    return null;
  const way = inlineKey(press.key);
  const key = way === null ? press.key : way === 'start' ? 'ArrowLeft' : 'ArrowRight';
  // An event has its fields in its prototype.
  const { ctrlKey, metaKey, altKey, shiftKey } = press;
  const meant = { key, ctrlKey, metaKey, altKey, shiftKey };
  for (const [command, chords] of Object.entries(commandKeys))
    if (isPressed([...chords, ...((isMac && macKeys[command]) || [])], meant, withMod))
      return isTyping && command === 'undo' ? null : (command as Command);
  return null;
}

function isTypingIn(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null;
}

/** Whether a dialog is open, which must be answered first. One that is closed but still fades is not. */
export function isDialogOpen(): boolean {
  const dialogs = document.querySelectorAll('[role="dialog"], [role="alertdialog"]');
  return [...dialogs].some((each) => each.closest('[data-exiting]') === null);
}

/** Runs commands from shortcuts and the menu. While a dialog is open, it handles the keyboard alone. */
export function useCommandInput(): void {
  const client = useClient();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || isDialogOpen()) return;
      const command = commandOf(event, isTypingIn(event.target));
      // Prevented even without a handler, because the browser would find, print or reload.
      if (command === null) return;
      event.preventDefault();
      runCommand(command);
    }
    document.addEventListener('keydown', onKeyDown);
    const stop = client.on('command.given', ({ command }) => {
      // Without an answer a click on Coffer's icon would seem broken.
      if (isDialogOpen()) announce(commonTexts.closeDialogFirst, 'assertive');
      else runCommand(command);
    });
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      stop();
    };
  }, [client]);
}

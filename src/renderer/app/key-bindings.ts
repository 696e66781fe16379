import { useEffect } from 'react';
import { useClient } from './client.ts';
import { runCommand, type Command } from './commands.ts';

export const isMac = /Mac/.test(navigator.userAgent);

/** As on the keys, for tooltips, menus and the palette: `Ctrl+K`. Delete, Enter and Escape belong to the list. */
const bindings: readonly { command: Command; key: string; withControl: boolean }[] = [
  { command: 'search', key: '/', withControl: false },
  { command: 'search', key: 'f', withControl: true },
  { command: 'upload', key: 'u', withControl: true },
  { command: 'download', key: 'd', withControl: true },
  { command: 'check', key: 'F5', withControl: false },
  { command: 'palette', key: 'k', withControl: true },
  { command: 'dock.details', key: '1', withControl: true },
  { command: 'dock.transfers', key: '2', withControl: true },
  { command: 'dock.jobs', key: '3', withControl: true },
  { command: 'settings', key: ',', withControl: true },
];

const listKeys: Partial<Record<Command, string>> = { details: 'Enter', delete: 'Delete' };

/** The keys of a command, as `KeyHint` takes them. */
export function keysOf(command: Command): string | undefined {
  const binding = bindings.find((each) => each.command === command);
  if (binding === undefined) return listKeys[command];
  const key = binding.key.length === 1 ? binding.key.toUpperCase() : binding.key;
  return binding.withControl ? `${isMac ? '⌘' : 'Ctrl'}+${key}` : key;
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** The command of a press; while a person types, only those that are no character. */
export function commandOf(press: Press, isTyping: boolean): Command | null {
  const withControl = isMac ? press.metaKey : press.ctrlKey;
  const other = isMac ? press.ctrlKey : press.metaKey;
  // A slash needs Shift on many keyboards; with Control, Shift means something else.
  if (press.altKey || other || (withControl && press.shiftKey)) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const found = bindings.find((each) => each.key === key && each.withControl === withControl);
  if (found === undefined) return null;
  return isTyping && !withControl && key.length === 1 ? null : found.command;
}

function isTypingIn(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]') !== null;
}

/** Whether something asks for an answer before anything else. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

/** Keys and the menu give commands. While a dialog is open, it alone has the keyboard. */
export function useCommandInput(): void {
  const client = useClient();
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.defaultPrevented || isDialogOpen()) return;
      const command = commandOf(event, isTypingIn(event.target));
      // Prevented even when nobody takes it: the browser's own find, print or reload must not come up.
      if (command === null) return;
      event.preventDefault();
      runCommand(command);
    }
    document.addEventListener('keydown', onKeyDown);
    const stop = client.on('command.given', ({ command }) => {
      if (!isDialogOpen()) runCommand(command);
    });
    return () => {
      document.removeEventListener('keydown', onKeyDown);
      stop();
    };
  }, [client]);
}

import { rmSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import type * as Electron from 'electron';
import { theChromium } from './app.ts';
import { checkOptions, provideOnly, refuse, sayOnce } from './refuse.ts';
import { thePage } from './the-page.ts';
import type { BrowserWindow } from './window.ts';

/*
 * Chromium's own dialogs, opened by the window. A debugger that intercepts file choosers (playwright's `filechooser`
 * event) can answer open dialogs. End-to-end tests replace the two functions, in either shell.
 */

const openOptions = ['title', 'defaultPath', 'filters', 'properties', 'buttonLabel'];
const openProperties = ['openFile', 'openDirectory', 'multiSelections', 'createDirectory'];
const saveProperties = ['showOverwriteConfirmation', 'createDirectory'];

function checkProperties(name: string, properties: readonly string[], known: readonly string[]): void {
  const unknown = properties.find((property) => !known.includes(property));
  if (unknown) refuse(`${name}: "${unknown}" is not provided`);
}

/** The window may be the first argument. */
const optionsOf = <T extends object>(args: [BrowserWindow, T] | [T]): T => args.at(-1) as T;

const acceptOf = (filters: Electron.FileFilter[] = []): string => {
  const extensions = filters.flatMap((filter) => filter.extensions);
  return extensions.includes('*') ? '' : extensions.map((extension) => `.${extension}`).join(',');
};

async function showOpenDialog(
  ...args: [BrowserWindow, Electron.OpenDialogOptions] | [Electron.OpenDialogOptions]
): Promise<Electron.OpenDialogReturnValue> {
  const options = optionsOf(args);
  checkOptions('showOpenDialog', options, openOptions);
  const properties = options.properties ?? ['openFile'];
  checkProperties('showOpenDialog', properties, openProperties);
  const folder = properties.includes('openDirectory');
  const multiple = properties.includes('multiSelections');
  const { page } = await thePage('dialog');
  const paths = await page.callForPaths('chooseFiles', [
    { multiple, folder, accept: acceptOf(options.filters) },
  ]);
  const filePaths = folder ? commonFolder(paths) : paths;
  return { canceled: filePaths.length === 0, filePaths };
}

/** Choosing a folder yields the files in it, so an empty one cannot be chosen here. */
function commonFolder(paths: readonly string[]): string[] {
  const [first, ...rest] = paths;
  if (first === undefined) return [];
  let folder = dirname(first);
  while (rest.some((path) => !path.startsWith(folder + sep))) folder = dirname(folder);
  return [folder];
}

/**
 * Chromium asks for the path when it saves an empty file, which is removed again. (Where a file is to be replaced,
 * Electron leaves the old one until the application writes.)
 */
async function showSaveDialog(
  ...args: [BrowserWindow, Electron.SaveDialogOptions] | [Electron.SaveDialogOptions]
): Promise<Electron.SaveDialogReturnValue> {
  const options = optionsOf(args);
  checkOptions('showSaveDialog', options, openOptions);
  const { properties = [] } = options;
  checkProperties('showSaveDialog', properties, saveProperties);
  // Chromium always asks before replacing: an application that forgets the option would only lose a file in Electron.
  if (!properties.includes('showOverwriteConfirmation')) {
    refuse('showSaveDialog: without "showOverwriteConfirmation" Electron replaces files unasked on Linux');
  }
  const { page } = await thePage('dialog');
  const { browser } = theChromium('dialog');
  await browser.send('Browser.setDownloadBehavior', { behavior: 'default', eventsEnabled: true });
  const saved = new Promise<string>((resolve) => {
    browser.on('Browser.downloadProgress', function follow({ state, filePath }) {
      if (state === 'inProgress') return;
      browser.off('Browser.downloadProgress', follow);
      resolve(state === 'completed' ? (filePath ?? '') : '');
    });
  });
  await page.call('saveEmpty', [basename(options.defaultPath ?? '')], true);
  const filePath = await saved;
  if (filePath) rmSync(filePath, { force: true });
  return { canceled: filePath === '', filePath };
}

const boxOptions = ['type', 'title', 'message', 'detail', 'buttons', 'defaultId', 'cancelId', 'noLink'];

/** Asks by the page's `confirm`, whose buttons always read OK and Cancel: once for each button but the one that cancels. */
async function showMessageBox(
  ...args: [BrowserWindow, Electron.MessageBoxOptions] | [Electron.MessageBoxOptions]
): Promise<Electron.MessageBoxReturnValue> {
  const options = optionsOf(args);
  checkOptions('showMessageBox', options, boxOptions);
  const { message, detail = '', buttons = [], cancelId = 0 } = options;
  if (buttons.length < 2) refuse('showMessageBox: fewer than two buttons are not provided');
  const others = [...buttons.keys()].filter((id) => id !== cancelId);
  const { page } = await thePage('dialog');
  for (const [at, id] of others.entries()) {
    const left = [...others.slice(at + 1), cancelId].map((each) => buttons[each]);
    const choices = `OK: ${buttons[id]}    Cancel: ${left.join(' or ')}`;
    if (await page.call('ask', [[message, detail, choices].join('\n\n')]))
      return { response: id, checkboxChecked: false };
  }
  return { response: cancelId, checkboxChecked: false };
}

/** Writes to stderr, like Electron where it cannot show a box. */
function showErrorBox(title: string, content: string): void {
  sayOnce(`${title}: ${content}`);
}

export const dialog = provideOnly('dialog', { showErrorBox, showMessageBox, showOpenDialog, showSaveDialog });

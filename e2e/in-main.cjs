/*
 * Preloaded into the main process, in tests only, under Electron and under the stand-in. Answers the system's dialogs from the file
 * named by E2E_DIALOG_ANSWERS, notes in the file named by E2E_OPENED what Electron is told to open or show (opened-files.ts), and does
 * what a person does outside of the page: closes the window, quits, chooses in the menu. The debugger cannot: it destroys a window
 * without its `close`, and its keys never reach a menu (`skip_if_unhandled` in Chromium's input_handler.cc).
 */
const { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const paths = require('node:path');
const { isMainThread } = require('node:worker_threads');

const file = process.env.E2E_DIALOG_ANSWERS;

/** Taken by a dialog for which none is queued. */
let lastAnswer;

function takeAnswer() {
  const answers = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const answer = answers.shift() ?? lastAnswer;
  // Atomically: the test may be counting them.
  writeFileSync(`${file}.taken`, JSON.stringify(answers));
  renameSync(`${file}.taken`, file);
  return answer;
}

function replace(dialog, name, toResult) {
  const real = dialog[name].bind(dialog);
  dialog[name] = async (...args) => {
    const answer = takeAnswer();
    if (answer === undefined) return real(...args);
    return { canceled: answer === null, ...toResult(answer ?? [], args.at(-1)) };
  };
}

// Worker threads inherit --require, but Electron exists on the main thread only.
if (isMainThread) {
  const { app, BrowserWindow, dialog, Menu, powerSaveBlocker, shell, Tray } = require('electron');
  replace(dialog, 'showOpenDialog', (filePaths) => ({ filePaths }));
  replace(dialog, 'showSaveDialog', ([filePath = '']) => ({ filePath }));
  replace(dialog, 'showMessageBox', ([button], { buttons, cancelId }) => ({
    response: button === undefined ? cancelId : buttons.indexOf(button),
  }));

  const icons = new Set();
  const setContextMenu = Reflect.get(Tray.prototype, 'setContextMenu');
  Tray.prototype.setContextMenu = function (...args) {
    icons.add(this);
    return setContextMenu.apply(this, args);
  };

  const opened = process.env.E2E_OPENED;
  if (opened) {
    const note = (path) => appendFileSync(opened, `${path}\n`);
    shell.openPath = async (path) => {
      note(path);
      return '';
    };
    shell.showItemInFolder = (path) => note(paths.dirname(path));
  }

  const choose = (id) => {
    const [window] = BrowserWindow.getAllWindows();
    Menu.getApplicationMenu().getMenuItemById(id).click({}, window, window?.webContents);
  };
  const namesOfUndos = () => {
    const labelOf = (id) => Menu.getApplicationMenu().getMenuItemById(id)?.label;
    const listed = Array.from({ length: 10 }, (_, at) => labelOf(`undo.${at + 1}`)).filter(Boolean);
    return listed.length > 0 ? listed : [labelOf('undo')];
  };
  const acts = {
    close: () => BrowserWindow.getAllWindows()[0]?.close(),
    // On macOS Electron leaves this item to the system.
    quit: () => (process.platform === 'darwin' ? app.quit() : choose('quit')),
    end: () => {
      lastAnswer = ['Quit'];
      app.quit();
    },
    choose,
    tell() {
      const [window] = BrowserWindow.getAllWindows();
      process.send({
        isFocused: window.isFocused(),
        isVisible: window.isVisible(),
        undos: namesOfUndos(),
        hasIcon: [...icons].some((icon) => !icon.isDestroyed()),
        // Electron numbers them from 0.
        isAwake: Array.from({ length: 1000 }, (_, id) => id).some((id) => powerSaveBlocker.isStarted(id)),
      });
    },
  };
  // Other preloaded modules have messages of their own.
  process.on('message', ({ act, id }) => {
    if (act !== undefined) acts[act](id);
  });
  process.channel?.unref();
}

/*
 * Loaded into the main process before the application, in tests only: answers the system's dialogs from the file that
 * E2E_DIALOG_ANSWERS names. The same for Electron (--require) and for the stand-in (--import).
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const file = process.env.E2E_DIALOG_ANSWERS;

/** The next answer, or undefined when there is none. */
function takeAnswer() {
  const answers = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const answer = answers.shift();
  writeFileSync(file, JSON.stringify(answers));
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

// Threads inherit --import, and Electron is the main thread's alone.
if (isMainThread) {
  // Not this file's own `require`: under --import that one does not ask the hooks that provide the stand-in.
  const { dialog } = createRequire(__filename)('electron');
  replace(dialog, 'showOpenDialog', (filePaths) => ({ filePaths }));
  replace(dialog, 'showSaveDialog', ([filePath = '']) => ({ filePath }));
  replace(dialog, 'showMessageBox', ([button], { buttons, cancelId }) => ({
    response: button === undefined ? cancelId : buttons.indexOf(button),
  }));
}

/*
 * Loaded into the main process before the application, in tests only: answers the system's dialogs from the file that
 * E2E_DIALOG_ANSWERS names. The same for Electron (--require) and for the stand-in (--import).
 */
const { existsSync, readFileSync, writeFileSync } = require('node:fs');
const { createRequire } = require('node:module');

// Not this file's own `require`: under --import that one does not ask the hooks that provide the stand-in.
const { dialog } = createRequire(__filename)('electron');

const file = process.env.E2E_DIALOG_ANSWERS;

/** The next answer, or undefined when there is none. */
function takeAnswer() {
  const answers = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const answer = answers.shift();
  writeFileSync(file, JSON.stringify(answers));
  return answer;
}

function replace(name, toResult) {
  const real = dialog[name].bind(dialog);
  dialog[name] = async (...args) => {
    const answer = takeAnswer();
    return answer === undefined ? real(...args) : { canceled: answer === null, ...toResult(answer ?? []) };
  };
}

replace('showOpenDialog', (filePaths) => ({ filePaths }));
replace('showSaveDialog', ([filePath = '']) => ({ filePath }));

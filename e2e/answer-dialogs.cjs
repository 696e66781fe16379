/*
 * Preloaded into the main process, in tests only. Answers the system's dialogs from the file named by
 * E2E_DIALOG_ANSWERS, under Electron and under the stand-in.
 */
const { existsSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const file = process.env.E2E_DIALOG_ANSWERS;

function takeAnswer() {
  const answers = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const answer = answers.shift();
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
  const { dialog } = require('electron');
  replace(dialog, 'showOpenDialog', (filePaths) => ({ filePaths }));
  replace(dialog, 'showSaveDialog', ([filePath = '']) => ({ filePath }));
  replace(dialog, 'showMessageBox', ([button], { buttons, cancelId }) => ({
    response: button === undefined ? cancelId : buttons.indexOf(button),
  }));
}

import type { FileError } from '../errors/files.ts';
import type { ErrorText } from './error-messages.ts';
import { fileMessages as texts } from './file-messages.ts';
import { formatList, formatSize } from './format.ts';

export function fileErrorText(error: FileError): ErrorText {
  switch (error.code) {
    case 'notAFile':
      return texts.notAFile;
    case 'fileChanged':
    case 'fileUnreadable':
    case 'fileGone':
    case 'fileSpecial':
    case 'partGone':
      return { ...texts[error.code], what: texts[error.code].what(error) };
    case 'folderGone':
    case 'folderReadOnly':
      return { ...texts[error.code], what: texts[error.code].what(error) };
    case 'fileNotOpened': {
      const { title, next, nextObject } = texts.fileNotOpened;
      return { title, what: texts.fileNotOpened[error.problem], next: error.isCopy ? nextObject : next };
    }
    case 'editNotFinished': {
      const { title, nextBeside, nextInUse, ...what } = texts.editNotFinished;
      return {
        title,
        what: what[error.problem]({ fileNames: formatList(error.fileNames) }),
        next: error.problem === 'filesBeside' ? nextBeside : nextInUse,
      };
    }
    case 'notTakenOut':
      return { title: texts.notTakenOut.title, ...texts.notTakenOut[error.problem] };
    case 'editForbidden': {
      const { title, what, whatDefault, next } = texts.editForbidden;
      const { classification } = error;
      return { title, what: classification === null ? whatDefault : what({ classification }), next };
    }
    case 'diskFull': {
      const { title, what, whatSpace, next } = texts.diskFull;
      const { folderName, freeBytes, neededBytes } = error;
      if (freeBytes === undefined || neededBytes === undefined || freeBytes >= neededBytes)
        return { title, what: what({ folderName }), next };
      const sizes = { needed: formatSize(neededBytes), free: formatSize(freeBytes) };
      return { title, what: whatSpace({ folderName, ...sizes }), next };
    }
    case 'folderNotWatched': {
      const { title, next, nextBeside, [error.problem]: what } = texts.folderNotWatched;
      const { problem, folderName, beside = '' } = error;
      const isBeside = problem === 'inside' || problem === 'around';
      return {
        title,
        what: typeof what === 'string' ? what : what({ folderName, beside }),
        next: isBeside ? nextBeside : next,
      };
    }
    case 'badImportFile': {
      const { title, what } = texts.badImportFile;
      if (error.problem === 'notText') {
        const problem = texts.badImportFile.notText({
          line: error.line ?? 1,
          encoding: error.encoding ?? 'UTF-8',
        });
        const next = texts.badImportFile.notTextNext;
        return { title, what: what({ fileName: error.fileName, problem }), next };
      }
      const problem = texts.badImportFile[error.problem];
      return { title, what: what({ fileName: error.fileName, problem }) };
    }
  }
}

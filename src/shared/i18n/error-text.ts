import { connectExamples } from './connect-examples.ts';
import { errorMessages as texts, type ErrorText } from './error-messages.ts';
import { inputProblem } from './input-text.ts';
import type { AppError, AppErrorOf } from '../errors.ts';
import {
  answerTimeoutText,
  certificateText,
  clientCertificateText,
  clientFileText,
  connectionLostText,
  proxyAddressText,
  proxyText,
  unreachableText,
  wayTitles,
} from './way-text.ts';
import { teamErrorText } from './team-text.ts';
import { formatDuration, formatCount, formatExactBytes, formatList, formatSize } from './format.ts';

/** The text of every error; checked by the compiler to be complete. */
export function errorText(error: AppError): ErrorText {
  switch (error.code) {
    case 'invalidInput':
      return { title: texts.invalidInput.title, what: inputProblem(error) };
    case 'unknownProcedure':
    case 'senderRefused':
      return texts.refused;
    case 'notFound':
      return {
        title: texts.notFound[error.what],
        what: whyNotFound(error),
      };
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
    case 'notReady':
    case 'catalogueTooNew':
    case 'dataFolderInUse':
    case 'stillThere':
    case 'lateDeletion':
    case 'deletionUnknown':
    case 'badRequest':
    case 'tokenRefused':
    case 'tokenMissing':
    case 'forbidden':
    case 'missing':
    case 'digestDiffers':
    case 'claimedDigestDiffers':
    case 'notAFile':
    case 'secretNotText':
    case 'cancelled':
    case 'partsWrong':
    case 'partsForbidden':
    case 'partsShared':
      return texts[error.code];
    case 'namesRefused':
    case 'serviceBusy':
      return { ...texts[error.code], what: texts[error.code].what(error) };
    case 'exists': {
      const { title, what, next } = texts.exists;
      return { title, what: error.isUnseen ? texts.existsUnseen : what, next };
    }
    case 'replaceLeft': {
      const { title, what, next, nextCopy } = texts.replaceLeft;
      return { title, what, next: error.copy === undefined ? next : nextCopy({ copy: error.copy }) };
    }
    case 'objectChanged': {
      const { title, what, whatCopy, next } = texts.objectChanged;
      return { title, what: error.copy === null ? what : whatCopy({ copy: error.copy }), next };
    }
    case 'moveChanged':
      return { ...texts.moveChanged, what: texts.moveChanged.what(error) };
    case 'clipboardRefused': {
      const { title, ...reasons } = texts.clipboardRefused;
      return { title, ...reasons[error.problem] };
    }
    case 'partsTooNew': {
      const { title, what, next } = texts.partsTooNew;
      return { title, what: what({ version: String(error.version) }), next };
    }
    case 'partDiffers': {
      const { title, what, gone, next } = texts.partDiffers;
      const { identifier, storedBytes } = error;
      const expected = formatExactBytes(error.expectedBytes);
      if (storedBytes === null) return { title, what: gone({ identifier, expected }), next };
      return { title, what: what({ identifier, expected, stored: formatExactBytes(storedBytes) }), next };
    }
    case 'partsMissing':
      return partsMissingText(error);
    case 'storedIncomplete': {
      const { title, what, next } = texts.storedIncomplete;
      const { missingParts: count, parts: total, missingBytes, sizeBytes } = error;
      const sizes = { missing: formatSize(missingBytes), size: formatSize(sizeBytes) };
      return { title, what: what({ count, total, ...sizes }), next };
    }
    case 'catalogueStopped':
      return error.isStartedAgain ? texts.catalogueRestarted : texts.catalogueStopped;
    case 'badIdentifier':
      return { title: texts.badIdentifier.title, what: texts.badIdentifier[error.problem] };
    case 'badAddress':
      return addressText(error);
    case 'badAuthorityFile':
    case 'fileChanged':
    case 'fileUnreadable':
    case 'partGone':
    case 'fileGone':
    case 'fileSpecial':
      return { ...texts[error.code], what: texts[error.code].what(error) };
    case 'noRoomToKeep': {
      const { title, what, next } = texts.noRoomToKeep;
      const sizes = { needed: formatSize(error.neededBytes), free: formatSize(error.freeBytes) };
      return { title, what: what(sizes), next };
    }
    case 'keptUnreadable': {
      const { title, next } = texts.keptUnreadable;
      return { title, what: texts.keptUnreadable[error.problem], next };
    }
    case 'approvalRefused':
      return { title: texts.approvalRefused.title, what: texts.approvalRefused[error.reason] };
    case 'diskFull': {
      const { title, what, whatSpace, next } = texts.diskFull;
      const { folderName, freeBytes, neededBytes } = error;
      if (freeBytes === undefined || neededBytes === undefined || freeBytes >= neededBytes)
        return { title, what: what({ folderName }), next };
      const sizes = { needed: formatSize(neededBytes), free: formatSize(freeBytes) };
      return { title, what: whatSpace({ folderName, ...sizes }), next };
    }
    case 'folderGone':
    case 'folderReadOnly':
      return { ...texts[error.code], what: texts[error.code].what(error) };
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
    case 'nameTaken':
      return { ...texts.nameTaken, what: texts.nameTaken.what(error) };
    case 'serviceUnfinished':
      return {
        title: texts.serviceUnfinished.title,
        what: unfinishedText(error),
        next: texts.serviceUnfinished.next,
      };
    case 'badProxyAddress':
      return proxyAddressText(error.problem);
    case 'badClientCertificate':
      return clientFileText(error);
    case 'unreachable':
      return unreachableText(error);
    case 'certificateNotTrusted':
      return certificateText(error);
    case 'proxyFailed':
      return proxyText(error);
    case 'clientCertificateRefused':
      return clientCertificateText(error);
    case 'answerTimeout':
      return answerTimeoutText(error);
    case 'connectionLost':
      return connectionLostText(error);
    case 'tooLarge': {
      const { title, refused, refusedNext, limit } = texts.tooLarge;
      const { limitBytes } = error;
      return limitBytes === undefined
        ? { title, what: refused, next: refusedNext }
        : { title, what: limit({ size: formatSize(limitBytes) }) };
    }
    case 'tooManyRequests':
      return { ...texts.tooManyRequests, next: againText(error.retryAfterMs) };
    case 'serverError': {
      const { title, what } = texts.serverError;
      return { title, what: what({ status: String(error.status) }), next: againText(error.retryAfterMs) };
    }
    case 'unexpectedAnswer': {
      const { unknownEncoding } = texts;
      if (error.encoding !== undefined)
        return { ...unknownEncoding, what: unknownEncoding.what({ encoding: error.encoding }) };
      const { notService, host = '' } = error;
      if (notService) {
        const other = notService === 'page' ? texts.webPage : texts.answersForAll;
        return { ...other, what: other.what({ host }) };
      }
      const { title, what, next } = texts.unexpectedAnswer;
      return { title, what: what({ status: String(error.status), problem: error.problem }), next };
    }
    case 'storedLengthDiffers': {
      const { title, known, unknown, next } = texts.storedLengthDiffers;
      const sent = formatExactBytes(error.sentBytes);
      const { storedBytes } = error;
      const what =
        storedBytes === null ? unknown({ sent }) : known({ sent, stored: formatExactBytes(storedBytes) });
      return { title, what, next };
    }
    case 'claimedLengthDiffers':
    case 'downloadLengthDiffers': {
      const { title, what, next } = texts[error.code];
      const [received, expected] = [error.receivedBytes, error.expectedBytes].map(formatExactBytes);
      return { title, what: what({ received: received ?? '', expected: expected ?? '' }), next };
    }
    case 'downloadTooLong': {
      const { title, what, next } = texts.downloadTooLong;
      return { title, what: what({ limit: formatExactBytes(error.limitBytes) }), next };
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
    case 'keychain':
      return texts.keychain[error.problem];
    case 'localService': {
      const { title, next } = texts.localService;
      return { title, what: texts.localService[error.problem], next };
    }
    case 'badInvitation':
    case 'teamServer':
    case 'teamPasswordMissing':
    case 'serviceInTeam':
    case 'teamAddressDiffers':
    case 'teamDiffers':
    case 'teamUnshared':
    case 'teamInvite':
    case 'teamCurate':
    case 'teamCreate':
      return teamErrorText(error);
    case 'previewUnavailable':
      return { title: texts.previewUnavailable.title, what: texts.previewUnavailable[error.problem] };
    case 'pictureTooLarge': {
      const { title, what, next } = texts.pictureTooLarge;
      const megapixels = Math.ceil(error.pixels / 1e6);
      return { title, what: what({ megapixels, maxMegapixels: error.maxPixels / 1e6 }), next };
    }
    case 'unexpected':
      return { ...texts.unexpected, what: texts.unexpected.what(error) };
  }
}

/** In one line, for messages and assistive technology. */
export function errorLine(error: AppError): string {
  const { title, what, next } = errorText(error);
  return texts.line({ title, text: next === undefined ? what : `${what} ${next}` });
}

/** Missing byte ranges, numbered from 0 as programs do. */
function partsMissingText({
  gaps,
  missingParts,
  parts,
  missingBytes,
  sizeBytes,
}: AppErrorOf<'partsMissing'>): ErrorText {
  const { title, what, range, more, next } = texts.partsMissing;
  const shown = gaps.slice(0, maxGapsShown);
  const ranges = shown.map(({ firstByte, lastByte }) =>
    range({ first: formatCount(firstByte), last: formatCount(lastByte) }),
  );
  const list = formatList([...ranges, gaps.length > shown.length && more]);
  const sizes = { missing: formatSize(missingBytes), size: formatSize(sizeBytes) };
  return { title, what: what({ count: missingParts, total: parts, ...sizes, ranges: list }), next };
}

const maxGapsShown = 3;

function againText(retryAfterMs: number | null): string {
  return retryAfterMs === null ? texts.again : texts.againIn({ duration: formatDuration(retryAfterMs) });
}

function whyNotFound({ what }: AppErrorOf<'notFound'>): string {
  if (what === 'selection') return texts.notFound.askAgain;
  if (what === 'team') return texts.notFound.joinFirst;
  if (what === 'teamList') return texts.notFound.otherList;
  return what === 'savedFile' ? texts.notFound.movedFile : texts.notFound.removed;
}

function addressText({ problem }: AppErrorOf<'badAddress'>): ErrorText {
  const { title, scheme, notUrl } = texts.badAddress;
  if (problem === 'scheme') return { title, what: scheme };
  if (problem === 'notUrl')
    return { title, what: notUrl.what, next: notUrl.next({ example: connectExamples.baseAddress }) };
  return { title, ...texts.badAddress[problem] };
}

/** The title of all errors with this code, if they share one; null: no such code. */
export function errorTitle(code: string): string | null {
  const found: unknown = Reflect.get(wayTitles, code) ?? Reflect.get(texts, code);
  return typeof found === 'object' && found !== null && 'title' in found ? String(found.title) : null;
}

function unfinishedText({ work }: AppErrorOf<'serviceUnfinished'>): string {
  const { serviceUnfinished: words } = texts;
  return work
    .flatMap(({ what, identifiers, count, copies }) => [
      words[what]({
        count,
        names: formatList([
          ...identifiers,
          count > identifiers.length && words.more({ count: count - identifiers.length }),
        ]),
      }),
      ...(copies.length > 0 ? [words.copies({ names: formatList(copies) })] : []),
    ])
    .join(' ');
}

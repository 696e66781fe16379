import { connectExamples } from './connect-examples.ts';
import { errorMessages as texts, type ErrorText } from './error-messages.ts';
import { inputProblem } from './input-text.ts';
import type { AppError, AppErrorOf } from '../errors.ts';
import { isFileError } from '../errors/files.ts';
import { isStoredError } from '../errors/stored.ts';
import { fileMessages } from './file-messages.ts';
import { fileErrorText } from './file-text.ts';
import { storedMessages } from './stored-messages.ts';
import { storedErrorText } from './stored-text.ts';
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
import { formatDuration, formatList, formatSize } from './format.ts';

/** The text of every error; checked by the compiler to be complete. */
export function errorText(error: AppError): ErrorText {
  if (isStoredError(error)) return storedErrorText(error);
  if (isFileError(error)) return fileErrorText(error);
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
    case 'notReady':
    case 'catalogueTooNew':
    case 'dataFolderInUse':
    case 'badRequest':
    case 'tokenRefused':
    case 'tokenMissing':
    case 'forbidden':
    case 'missing':
    case 'secretNotText':
    case 'cancelled':
      return texts[error.code];
    case 'serviceBusy':
      return { ...texts[error.code], what: texts[error.code].what(error) };
    case 'exists': {
      const { title, what, next } = texts.exists;
      return { title, what: error.isUnseen ? texts.existsUnseen : what, next };
    }
    case 'clipboardRefused': {
      const { title, ...reasons } = texts.clipboardRefused;
      return { title, ...reasons[error.problem] };
    }
    case 'catalogueStopped':
      return error.isStartedAgain ? texts.catalogueRestarted : texts.catalogueStopped;
    case 'badIdentifier':
      return { title: texts.badIdentifier.title, what: texts.badIdentifier[error.problem] };
    case 'badAddress':
      return addressText(error);
    case 'badAuthorityFile':
      return { ...texts[error.code], what: texts[error.code].what(error) };
    case 'approvalRefused':
      return { title: texts.approvalRefused.title, what: texts.approvalRefused[error.reason] };
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
    case 'serverError':
      return { ...texts.serverError, next: againText(error.retryAfterMs) };
    case 'unexpectedAnswer':
      return unexpectedAnswerText(error);
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

/** Not what the service answers, or by something that isn't the service. */
function unexpectedAnswerText(error: AppErrorOf<'unexpectedAnswer'>): ErrorText {
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
  const found: unknown = [wayTitles, storedMessages, fileMessages, texts]
    .map((each): unknown => Reflect.get(each, code))
    .find((each) => each !== undefined);
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

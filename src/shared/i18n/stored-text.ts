import type { StoredError } from '../errors/stored.ts';
import type { ErrorText } from './error-messages.ts';
import { formatCount, formatExactBytes, formatList, formatSize } from './format.ts';
import { storedMessages as texts } from './stored-messages.ts';

export function storedErrorText(error: StoredError): ErrorText {
  switch (error.code) {
    case 'digestDiffers':
    case 'claimedDigestDiffers':
    case 'partsWrong':
    case 'partsForbidden':
    case 'partsShared':
    case 'stillThere':
    case 'lateDeletion':
    case 'deletionUnknown':
      return texts[error.code];
    case 'namesRefused':
      return { ...texts.namesRefused, what: texts.namesRefused.what(error) };
    case 'moveChanged':
      return { ...texts.moveChanged, what: texts.moveChanged.what(error) };
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
      const received = formatExactBytes(error.receivedBytes);
      return { title, what: what({ received, expected: formatExactBytes(error.expectedBytes) }), next };
    }
    case 'downloadTooLong': {
      const { title, what, next } = texts.downloadTooLong;
      return { title, what: what({ limit: formatExactBytes(error.limitBytes) }), next };
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
    case 'partsTooNew': {
      const { title, what, next } = texts.partsTooNew;
      return { title, what: what({ version: String(error.version) }), next };
    }
    case 'noRoomToKeep': {
      const { title, what, next } = texts.noRoomToKeep;
      const sizes = { needed: formatSize(error.neededBytes), free: formatSize(error.freeBytes) };
      return { title, what: what(sizes), next };
    }
    case 'keptUnreadable': {
      const { title, next } = texts.keptUnreadable;
      return { title, what: texts.keptUnreadable[error.problem], next };
    }
    case 'replaceLeft': {
      const { title, what, next, nextCopy } = texts.replaceLeft;
      return { title, what, next: error.copy === undefined ? next : nextCopy({ copy: error.copy }) };
    }
    case 'objectChanged': {
      const { title, what, whatCopy, next } = texts.objectChanged;
      return { title, what: error.copy === null ? what : whatCopy({ copy: error.copy }), next };
    }
  }
}

/** Missing byte ranges, numbered from 0 as programs do. */
function partsMissingText({
  gaps,
  missingParts,
  parts,
  missingBytes,
  sizeBytes,
}: Extract<StoredError, { code: 'partsMissing' }>): ErrorText {
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

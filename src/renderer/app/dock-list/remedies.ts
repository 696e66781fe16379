import type { Direction } from '../../../shared/domain/transfer.ts';
import type { AppErrorCode } from '../../../shared/errors.ts';

/**
 * What a person can do about a transfer that failed: begin it again as it is; with another identifier or classification, or with another file; take
 * it off the list; set the service right, its token, or where it saves; keep on the service what it replaces; of a file in parts keep what is
 * whole of it, or download the list of its parts; of several: look at each.
 */
export type Remedy =
  | 'again'
  | 'editAndRetry'
  | 'chooseFile'
  | 'remove'
  | 'editService'
  | 'newToken'
  | 'chooseFolder'
  | 'keepOnService'
  | 'saveIncomplete'
  | 'asItIs'
  | 'each';

type Remedies = readonly [Remedy, ...Remedy[]];
type ByDirection = Readonly<Record<Direction, Remedies>>;

const both = (...remedies: Remedies): ByDirection => ({ upload: remedies, download: remedies });
const again = both('again', 'remove');
const service = both('editService', 'again', 'remove');
const folder = both('chooseFolder', 'again', 'remove');

/** The one that helps most stands first. A new code does not compile until it has decided. */
const remedies: Readonly<Record<AppErrorCode, ByDirection>> = {
  // What was asked for can never be as it is.
  badRequest: { upload: ['editAndRetry', 'remove', 'again'], download: ['remove', 'again'] },
  badIdentifier: { upload: ['editAndRetry', 'remove'], download: ['remove'] },
  forbidden: {
    upload: ['editAndRetry', 'newToken', 'remove', 'again'],
    download: ['newToken', 'remove', 'again'],
  },
  tooLarge: both('remove', 'again'),
  // At the identifier, the question is asked.
  exists: both('again', 'editAndRetry', 'remove'),
  // An upload is answered so where the address leads past the service.
  missing: { upload: ['editService', 'again', 'remove'], download: ['remove', 'again'] },
  unexpectedAnswer: service,
  badAddress: service,
  certificateNotTrusted: service,
  badAuthorityFile: service,
  proxyFailed: service,
  badProxyAddress: service,
  clientCertificateRefused: service,
  badClientCertificate: service,
  tokenRefused: both('newToken', 'again', 'remove'),
  tokenMissing: both('newToken', 'again', 'remove'),
  // Files and folders here.
  folderGone: folder,
  folderReadOnly: folder,
  diskFull: both('again', 'chooseFolder', 'remove'),
  fileChanged: { upload: ['again', 'chooseFile', 'remove'], download: ['again', 'remove'] },
  fileUnreadable: { upload: ['again', 'chooseFile', 'remove'], download: ['again', 'remove'] },
  fileGone: { upload: ['chooseFile', 'again', 'remove'], download: ['remove', 'again'] },
  fileSpecial: { upload: ['chooseFile', 'remove', 'again'], download: ['remove', 'again'] },
  notAFile: both('remove', 'again'),
  partGone: again,
  // What may be otherwise the next time.
  unreachable: again,
  answerTimeout: again,
  connectionLost: again,
  tooManyRequests: again,
  serverError: again,
  storedLengthDiffers: again,
  downloadLengthDiffers: again,
  digestDiffers: again,
  noRoomToKeep: { upload: ['keepOnService', 'again', 'remove'], download: ['again', 'remove'] },
  keptUnreadable: again,
  lateDeletion: again,
  replaceLeft: again,
  stillThere: again,
  // Files in parts.
  partDiffers: again,
  storedIncomplete: again,
  partsMissing: { upload: ['again', 'remove'], download: ['again', 'saveIncomplete', 'remove'] },
  partsTooNew: { upload: ['again', 'remove'], download: ['asItIs', 'again', 'remove'] },
  partsWrong: { upload: ['again', 'remove'], download: ['asItIs', 'again', 'remove'] },
  partsForbidden: service,
  deletionUnknown: again,
  keychain: again,
  localService: again,
  cancelled: again,
  unexpected: again,
  catalogueStopped: again,
  // No transfer ends with these.
  invalidInput: again,
  unknownProcedure: again,
  notReady: again,
  senderRefused: again,
  notFound: both('remove', 'again'),
  nameTaken: again,
  serviceBusy: again,
  catalogueTooNew: again,
  partsShared: again,
  dataFolderInUse: again,
  badImportFile: again,
  previewUnavailable: again,
  secretNotText: again,
  approvalRefused: again,
  fileNotOpened: again,
  editForbidden: again,
  editNotFinished: again,
};

/** What helps one that failed, the best first. */
export function remediesOf(code: AppErrorCode, direction: Direction): readonly Remedy[] {
  const found = remedies[code][direction];
  return direction === 'upload' ? found : found.filter((remedy) => remedy !== 'editAndRetry');
}

/** What helps several that failed alike, uploads or downloads: what is set right one by one is looked at one by one. */
export function remediesOfCause(code: AppErrorCode): readonly Remedy[] {
  const { upload, download } = remedies[code];
  const shared = upload.filter((remedy) => remedy !== 'editAndRetry' && download.includes(remedy));
  const isPlain = (remedy: Remedy) => remedy === 'again' || remedy === 'remove';
  const needsEach = upload[0] === 'editAndRetry' || upload[0] === 'chooseFile';
  if (!needsEach) return shared;
  return [...shared.filter((remedy) => !isPlain(remedy)), 'each', ...shared.filter(isPlain)];
}

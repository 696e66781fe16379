import type { Direction } from '../../../shared/domain/transfer.ts';
import type { AppErrorCode } from '../../../shared/errors.ts';

/**
 * What a person can do about a failed transfer: retry it unchanged, which may mean accepting what the service has, or with another identifier,
 * classification or file; remove it from the list; correct the service, its token or the download folder; leave the replaced
 * object on the service; of a file in parts save the intact parts, or download its manifest; of several: show each.
 */
export type Remedy =
  | 'again'
  | 'takeIt'
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

/** Best remedy first. A new error code does not compile without an entry. */
const remedies: Readonly<Record<AppErrorCode, ByDirection>> = {
  // The request itself can never succeed.
  badRequest: { upload: ['editAndRetry', 'remove', 'again'], download: ['remove', 'again'] },
  badIdentifier: { upload: ['editAndRetry', 'remove'], download: ['remove'] },
  forbidden: {
    upload: ['editAndRetry', 'newToken', 'remove', 'again'],
    download: ['newToken', 'remove', 'again'],
  },
  tooLarge: both('remove', 'again'),
  // Retrying shows the conflict prompt again.
  exists: both('again', 'editAndRetry', 'remove'),
  namesRefused: both('again', 'editAndRetry', 'remove'),
  // An upload gets 404 if the address is not the service's.
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
  // Local files and folders.
  folderGone: folder,
  folderReadOnly: folder,
  diskFull: both('again', 'chooseFolder', 'remove'),
  fileChanged: { upload: ['again', 'chooseFile', 'remove'], download: ['again', 'remove'] },
  fileUnreadable: { upload: ['again', 'chooseFile', 'remove'], download: ['again', 'remove'] },
  fileGone: { upload: ['chooseFile', 'again', 'remove'], download: ['remove', 'again'] },
  fileSpecial: { upload: ['chooseFile', 'remove', 'again'], download: ['remove', 'again'] },
  notAFile: both('remove', 'again'),
  partGone: again,
  // Temporary failures.
  unreachable: again,
  answerTimeout: again,
  connectionLost: again,
  tooManyRequests: again,
  serverError: again,
  storedLengthDiffers: again,
  downloadLengthDiffers: again,
  downloadTooLong: service,
  digestDiffers: again,
  claimedLengthDiffers: both('takeIt', 'remove'),
  claimedDigestDiffers: both('takeIt', 'remove'),
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
  objectChanged: again,
  moveChanged: both('remove', 'again'),
  deletionUnknown: again,
  keychain: again,
  localService: again,
  cancelled: again,
  unexpected: again,
  catalogueStopped: again,
  // Codes that no transfer ends with.
  invalidInput: again,
  unknownProcedure: again,
  notReady: again,
  senderRefused: again,
  notFound: both('remove', 'again'),
  nameTaken: again,
  serviceBusy: again,
  serviceUnfinished: again,
  catalogueTooNew: again,
  partsShared: again,
  dataFolderInUse: again,
  badImportFile: again,
  previewUnavailable: again,
  pictureTooLarge: again,
  secretNotText: again,
  clipboardRefused: again,
  approvalRefused: again,
  fileNotOpened: again,
  notTakenOut: again,
  editForbidden: again,
  editNotFinished: again,
  folderNotWatched: again,
  badInvitation: again,
  teamServer: again,
  teamPasswordMissing: again,
  serviceInTeam: again,
  teamAddressDiffers: again,
  teamDiffers: again,
  teamUnshared: again,
  teamInvite: again,
  teamCurate: again,
  teamCreate: again,
};

/** Remedies for one failure, best first. */
export function remediesOf(code: AppErrorCode, direction: Direction): readonly Remedy[] {
  const found = remedies[code][direction];
  return direction === 'upload' ? found : found.filter((remedy) => remedy !== 'editAndRetry');
}

/** Remedies for several with the same failure. Where each needs its own fix, they are shown one by one. */
export function remediesOfCause(code: AppErrorCode): readonly Remedy[] {
  const { upload, download } = remedies[code];
  const shared = upload.filter((remedy) => remedy !== 'editAndRetry' && download.includes(remedy));
  const isPlain = (remedy: Remedy) => remedy === 'again' || remedy === 'remove';
  const needsEach = upload[0] === 'editAndRetry' || upload[0] === 'chooseFile';
  if (!needsEach) return shared;
  return [...shared.filter((remedy) => !isPlain(remedy)), 'each', ...shared.filter(isPlain)];
}

import type { AppError, AppErrorOf } from '../../shared/errors.ts';
import { clientCertificateText, clientFileText, proxyAddressProblems, proxyText } from './way-text.ts';
import { formatDuration, formatExactBytes, formatProgress, formatSize } from './format.ts';

/** What happened; what is so and why; what to do next, where there is something to do. */
export type ErrorText = { title: string; what: string; next?: string };

/** Every failure in words. A new code does not compile until it has them. */
export function errorText(error: AppError): ErrorText {
  switch (error.code) {
    case 'invalidInput':
      return {
        title: 'That cannot be right',
        what:
          inputProblems[`${error.field} ${error.problem}`] ??
          `Coffer does not take "${error.field}" so: ${error.problem}.`,
      };
    case 'unknownProcedure':
    case 'senderRefused':
      return {
        title: 'Coffer refused this',
        what: 'The window asked for something it may not have.',
        next: 'Start Coffer again. If it stays, show the log in Settings.',
      };
    case 'notFound':
      return {
        title: notFoundTitles[error.what],
        what:
          error.what === 'selection' ? 'Close it and ask again.' : 'It may have been removed a moment ago.',
      };
    case 'notReady':
      return {
        title: 'The list of objects is not open',
        what: 'Its file is damaged and was set aside.',
        next: 'Choose a copy to go on with, or start with an empty list.',
      };
    case 'catalogueTooNew':
      return {
        title: 'The list of objects is from a newer Coffer',
        what: 'This version cannot read it, and leaves it as it is.',
        next: 'Close this window, and start the newer version.',
      };
    case 'dataFolderInUse':
      return {
        title: 'Coffer is open already',
        what: 'Another Coffer is using this data folder.',
        next: 'Close it, or start this one with another folder.',
      };
    case 'catalogueStopped':
      return error.isStartedAgain
        ? {
            title: 'The list of objects was interrupted',
            what: 'It is being opened again. What you asked for may or may not have been done.',
            next: 'Look at the list, and try again.',
          }
        : {
            title: 'The list of objects has stopped',
            what: 'It was opened again several times and stopped each time.',
            next: 'Close Coffer and start it again. If it stays, show the log in Settings.',
          };
    case 'badIdentifier':
      return { title: 'This identifier cannot travel', what: identifierProblems[error.problem] };
    case 'badAddress':
      return { title: 'This address cannot be used', ...addressProblems[error.problem] };
    case 'badAuthorityFile':
      return {
        title: 'Not an authority file',
        what: `${error.fileName} holds no certificate that Coffer can read.`,
        next: 'Choose a file in PEM format; it begins with "BEGIN CERTIFICATE".',
      };
    case 'badProxyAddress':
      return { title: 'This proxy address cannot be used', ...proxyAddressProblems[error.problem] };
    case 'badClientCertificate':
      return clientFileText(error);
    case 'nameTaken':
      return { title: 'This name is taken', what: `Another service is called ${error.name}.` };
    case 'serviceBusy':
      return {
        title: 'Not everything is finished',
        what:
          error.count === 1
            ? 'One transfer of this service is not finished, so its address stays.'
            : `${error.count} transfers of this service are not finished, so its address stays.`,
        next: 'Let them finish, or cancel them.',
      };
    case 'stillThere':
      return {
        title: 'Still there',
        what: 'The service accepted the deletion, and ten minutes later the object is still there.',
        next: 'Check it later, or delete it again.',
      };
    case 'deletionUnknown':
      return {
        title: 'Not known whether it was deleted',
        what: "The service's answer was lost, and the object is still there. Coffer does not send a deletion twice by itself.",
        next: 'Check it, and delete it again if it should go.',
      };
    case 'unreachable':
      return { title: 'Not reachable', ...unreachableText(error) };
    case 'certificateNotTrusted':
      return { title: 'Certificate not trusted', ...certificateText(error) };
    case 'proxyFailed':
      return proxyText(error);
    case 'clientCertificateRefused':
      return clientCertificateText(error);
    case 'answerTimeout':
      return {
        title: 'No answer in time',
        what:
          error.phase === 'headers'
            ? `The service said nothing for ${formatDuration(error.afterMs)}.`
            : `The answer stopped for ${formatDuration(error.afterMs)}.`,
        next: 'Try again in a moment.',
      };
    case 'connectionLost':
      return {
        title: 'The connection broke',
        what:
          error.expectedBytes === null
            ? `It broke after ${formatSize(error.doneBytes)}.`
            : `It broke after ${formatProgress(error.doneBytes, error.expectedBytes)}.`,
        next: error.outcomeUnknown ? 'Coffer checks what the service really has.' : 'Try again.',
      };
    case 'badRequest':
      return {
        title: 'The service did not accept this request',
        what: 'It gave no reason. An identifier or a classification that it does not allow is the usual one.',
        next: 'Change the identifier or the classification and try again.',
      };
    case 'tokenRefused':
      return {
        title: 'Access token refused',
        what: 'The service no longer accepts the token, or never did.',
        next: 'Enter a new token. Everything that waits then goes on.',
      };
    case 'tokenMissing':
      return {
        title: 'No access token',
        what: 'Coffer has no token for this service on this computer.',
        next: 'Enter the token.',
      };
    case 'forbidden':
      return {
        title: 'Not allowed',
        what: 'The service accepts the token, but not for this object.',
        next: 'Ask whoever runs the service for the permission.',
      };
    case 'missing':
      return {
        title: 'Not there',
        what: 'The service has no object with this identifier.',
        next: 'It may have been deleted elsewhere. Check it, or take it off the list.',
      };
    case 'exists':
      return {
        title: 'The identifier exists already',
        what: 'The service keeps the object it has. Nothing was replaced.',
        next: 'Choose another identifier, or skip this file.',
      };
    case 'tooLarge':
      return {
        title: 'Too large for the service',
        what:
          error.limitBytes === undefined
            ? 'The service refused it for its size.'
            : `The service takes up to ${formatSize(error.limitBytes)}.`,
      };
    case 'tooManyRequests':
      return {
        title: 'Too many requests',
        what: 'The service asked Coffer to slow down.',
        next: waitingText(error.retryAfterMs),
      };
    case 'serverError':
      return {
        title: 'The service had a fault',
        what: `It answered ${error.status}. The fault is not on this computer.`,
        next: waitingText(error.retryAfterMs),
      };
    case 'unexpectedAnswer':
      return {
        title: 'This does not look like the service',
        what: `The answer (${error.status}) was not what the interface says: ${error.problem}.`,
        next: 'Check the base address; a proxy or a sign-in page may have answered.',
      };
    case 'storedLengthDiffers':
      return {
        title: 'Not stored whole',
        what:
          error.storedBytes === null
            ? `${formatExactBytes(error.sentBytes)} were sent, and the service does not say how many it has.`
            : `Only ${formatExactBytes(error.storedBytes)} of ${formatExactBytes(error.sentBytes)} are stored.`,
        next: 'Your file is untouched. Upload it again under another identifier, or delete the object first.',
      };
    case 'downloadLengthDiffers':
      return {
        title: 'Not received whole',
        what: `${formatExactBytes(error.receivedBytes)} arrived, ${formatExactBytes(error.expectedBytes)} were promised. Nothing was saved.`,
        next: 'Download it again.',
      };
    case 'digestDiffers':
      return {
        title: 'Not the bytes that were stored',
        what: 'The digest of what arrived differs from the one noted at the upload. Nothing was saved.',
        next: 'Download it again. If it stays so, the object was changed at the service.',
      };
    case 'fileChanged':
      return {
        title: 'The file changed while it was sent',
        what: `${error.fileName} is not what it was when the upload began, so it does not count as stored.`,
        next: 'Upload it again when nothing writes to it.',
      };
    case 'fileGone':
      return { title: 'The file is gone', what: `${error.fileName} is no longer where it was.` };
    case 'fileUnreadable':
      return {
        title: 'The file cannot be read',
        what: `This computer does not let Coffer read ${error.fileName}.`,
        next: 'Check its permissions.',
      };
    case 'fileSpecial':
      return {
        title: 'Not a regular file',
        what: `${error.fileName} is a device, a pipe or a link, and has no bytes of its own to store.`,
      };
    case 'notAFile':
      return {
        title: 'Not a file on this computer',
        what: 'What was dropped has no place on disk.',
        next: 'Save it as a file first.',
      };
    case 'diskFull':
      return {
        title: 'The disk is full',
        what: `There is no room in ${error.folderName}. What was there is untouched.`,
        next: 'Make room, then try again.',
      };
    case 'folderGone':
      return {
        title: 'The download folder is gone',
        what: `${error.folderName} is no longer there.`,
        next: 'Choose another download folder in Settings, or save as.',
      };
    case 'folderReadOnly':
      return {
        title: 'The folder cannot be written to',
        what: `This computer does not let Coffer write into ${error.folderName}.`,
        next: 'Choose another download folder in Settings, or save as.',
      };
    case 'partGone':
      return {
        title: 'The unfinished download is gone',
        what: `Something moved, replaced or deleted the part of ${error.fileName} that had arrived.`,
        next: 'Download it again.',
      };
    case 'badImportFile':
      return { title: 'This list cannot be imported', what: `${error.fileName}: ${error.problem}.` };
    case 'keychain':
      return { title: 'No system keychain', ...keychainProblems[error.problem] };
    case 'dialogUnavailable':
      return {
        title: 'No file dialog here',
        what: `${error.problem}.`,
        next: 'Drop the files into the window.',
      };
    case 'localService':
      return {
        title: 'The service on this computer did not start',
        what: `${error.problem}.`,
        next: 'Try again. If it stays, show the log in Settings.',
      };
    case 'previewUnavailable':
      return { title: 'No preview', what: previewProblems[error.problem] };
    case 'secretNotText':
      return {
        title: 'This value is not text',
        what: 'The clipboard would not carry its bytes whole, so nothing was copied.',
        next: 'Save it as a file.',
      };
    case 'cancelled':
      return { title: 'Cancelled', what: 'You stopped it.' };
    case 'unexpected':
      return {
        title: 'Something went wrong in Coffer',
        what: `This was not foreseen. Its reference is ${error.reference}.`,
        next: 'The log, in Settings, may tell more.',
      };
  }
}

/** In one line, for messages and for assistive technology. */
export function errorLine(error: AppError): string {
  const { title, what, next } = errorText(error);
  return [`${title}.`, what, next].filter((part) => part !== undefined).join(' ');
}

function waitingText(retryAfterMs: number | null): string {
  return retryAfterMs === null
    ? 'Coffer tries again by itself.'
    : `Coffer tries again by itself in ${formatDuration(retryAfterMs)}.`;
}

/** The ones a person can cause; the others are a fault of ours. */
const inputProblems: Record<string, string> = {
  'sheet uploading': 'Its upload has begun. Wait until it is through, or cancel it.',
  'token characters': 'The token holds spaces or characters that no token has. Copy it again.',
  'downloadFolder notAFolder': 'What was chosen for downloads is not a folder.',
  'source emptySecret': 'A secret without a value cannot be stored.',
  'source loneSurrogate': 'The value holds half a character, which has no bytes. Type or paste it again.',
  'saveAs oneObjectOnly': 'Only one object at a time can be saved under another name.',
};

const notFoundTitles: Record<AppErrorOf<'notFound'>['what'], string> = {
  object: 'This object is no longer on the list',
  profile: 'This service is no longer set up',
  uploadPlan: 'This upload sheet is closed',
  transfer: 'This transfer is no longer on the list',
  job: 'This request is no longer on the list',
  task: 'This task is over',
  grant: 'This file must be chosen again',
  activeProfile: 'No service is chosen',
  selection: 'This question is out of date',
};

const identifierProblems: Record<AppErrorOf<'badIdentifier'>['problem'], string> = {
  empty: 'It is empty.',
  dotSegment: '"." and ".." mean a folder on the way and would never arrive.',
  loneSurrogate: 'It holds half a character.',
};

const addressProblems: Record<AppErrorOf<'badAddress'>['problem'], { what: string; next?: string }> = {
  notUrl: { what: 'It is not a web address.', next: 'Write it like https://objects.example.org' },
  scheme: { what: 'It must begin with https://' },
  insecure: {
    what: 'Without https, others on the way could read the token and every byte.',
    next: 'Use https, or allow it for this service under Optional.',
  },
  credentials: {
    what: 'It holds a name or a password.',
    next: 'Leave them out; the token goes in its own field.',
  },
  query: { what: 'It holds a question mark and what follows.', next: 'Leave that part out.' },
  fragment: { what: 'It holds a # and what follows.', next: 'Leave that part out.' },
};

function unreachableText({ host, reason }: AppErrorOf<'unreachable'>): { what: string; next: string } {
  switch (reason) {
    case 'dns':
      return { what: `No computer is known as ${host}.`, next: 'Check the spelling of the address.' };
    case 'refused':
      return {
        what: `${host} is there, but nothing answers at this port.`,
        next: 'Check the port in the address.',
      };
    case 'reset':
      return { what: `${host} closed the connection.`, next: 'Try again in a moment.' };
    case 'timeout':
      return { what: `${host} did not answer in time.`, next: 'Check the network, a VPN or a firewall.' };
    case 'offline':
      return { what: 'This computer has no network.', next: 'Coffer goes on when it is back.' };
    case 'tls':
      return {
        what: `${host} does not speak encryption the way Coffer needs it.`,
        next: 'Check that the address and port are those of an https service, and whether it asks for a client certificate.',
      };
    case 'other':
      return { what: `The way to ${host} failed.`, next: 'Check the address and the network.' };
  }
}

function certificateText({ host, reason }: AppErrorOf<'certificateNotTrusted'>): {
  what: string;
  next?: string;
} {
  const stopped = 'Coffer stopped there. The token was not sent.';
  switch (reason) {
    case 'unknownAuthority':
      return {
        what: `It comes from an authority this computer does not know. ${stopped}`,
        next: 'Compare the fingerprint with whoever runs the service, then choose their authority file.',
      };
    case 'selfSigned':
      return {
        what: `It is signed by itself. ${stopped}`,
        next: 'Compare the fingerprint with whoever runs the service, then choose the certificate as authority file.',
      };
    case 'expired':
      return { what: `It has expired. ${stopped}`, next: 'Whoever runs the service must renew it.' };
    case 'wrongHost':
      return {
        what: `It was made for another host than ${host}. ${stopped}`,
        next: 'Check the base address.',
      };
    case 'other':
      return { what: `It could not be verified. ${stopped}` };
  }
}

const keychainProblems: Record<AppErrorOf<'keychain'>['problem'], { what: string; next: string }> = {
  unavailable: {
    what: 'This computer has no keychain that Coffer can use. The token is kept until Coffer ends.',
    next: 'Start a keyring service to keep it.',
  },
  locked: { what: 'The keychain is locked.', next: 'Unlock it, then try again.' },
  timeout: { what: 'The keychain did not answer in time.', next: 'Unlock it, then try again.' },
  refused: { what: 'The keychain refused.', next: 'Allow Coffer to use it, then try again.' },
};

const previewProblems: Record<AppErrorOf<'previewUnavailable'>['problem'], string> = {
  type: 'Only text and pictures are shown here.',
  size: 'Only up to 2 MB are shown here.',
  unknownSize: 'Its size is not known yet. Check it first.',
  state: 'It is not at the service now.',
};

import { NotPrivate } from '../../main/local-files/private-folder.ts';
import { messages } from '../../shared/i18n/messages.ts';
import { commandTexts as texts } from '../texts.ts';

/** An error of writing standard output in words. */
export function outputErrorText(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return texts.output.full({ code });
    case 'EFBIG':
      return texts.output.tooLarge({ code });
    case 'EBADF':
      return texts.output.closed({ code });
    default:
      return texts.output.other({ code });
  }
}

/** A system error in words. null: another kind of error. */
export function systemErrorText(cause: unknown): string | null {
  if (cause instanceof NotPrivate) return texts.system.notPrivate({ path: cause.path });
  if (!(cause instanceof Error) || !('syscall' in cause)) return null;
  const { code = '', syscall = '', path, address } = cause as NodeJS.ErrnoException & { address?: string };
  const what = path ?? address ?? syscall;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return texts.system.refused({ what, code });
    case 'ENOSPC':
    case 'EDQUOT':
      return texts.system.full({ what, code });
    default:
      return texts.system.other({ what, code });
  }
}

/** Advice for errors whose window text names a field or a page. */
export const errorTexts = messages('commandError', {
  option: '{option}: {text}',
  optionTakes: '{option} {takes}',
  checkAddress: 'Check the address: ADDRESS of “coffer service add”, --address of “coffer service set”.',
  signIn:
    'Sign in there with a browser, or check the address and the proxy: --address and --proxy of “coffer service set”, or COFFER_ADDRESS and HTTPS_PROXY.',
  insecure: 'Use https, or allow it for this service with --allow-http.',
  credentials: 'Remove them. The token is asked for, or read from standard input.',
  otherName: 'Give another name.',
  busy: 'Let them finish, or end them with --cancel-transfers.',
  token: 'Set a new one with “coffer service token”. Everything that is waiting then continues.',
  tokenMissing: 'Set it with “coffer service token”.',
  authorityFile: '--ca takes a file in PEM format. It starts with “BEGIN CERTIFICATE”.',
  authority:
    'Compare the fingerprint, {fingerprint}, with the people who run the service. Then give their CA certificate with --ca FILE of “coffer service add” or “set”.',
  selfSigned:
    'Compare the fingerprint, {fingerprint}, with the people who run the service. Then give the certificate with --ca FILE of “coffer service add” or “set”.',
  proxy: 'Check the address of the proxy, or give another one with --proxy of “coffer service add” or “set”.',
  proxyPort: 'Check the port in --proxy of “coffer service add” or “set”.',
  proxyPassword:
    'Give the name with --proxy-user of “coffer service add” or “set”. The password is asked for.',
  proxyAuthority:
    'Give the CA certificate file of the people who run the proxy with --ca FILE of “coffer service add” or “set”.',
  proxyCredentials: 'Remove them, and give the name with --proxy-user. The password is asked for.',
  passphrase: 'Type it when it is asked for, or give a file that holds it with --passphrase-file.',
  clientFile: '--client-certificate takes a PFX file. Its name ends with .pfx or .p12.',
  clientCertificate: 'Give yours with --client-certificate FILE of “coffer service add” or “set”.',
  otherCertificate:
    'Give another one with --client-certificate FILE of “coffer service add” or “set”, or ask the people who run the service.',
  rightCertificate:
    'Check that it is the right one for this service, or leave it out with --client-certificate none of “coffer service set”.',
  maxObject:
    'Make it smaller, or set the largest object with --max-object BYTES of “coffer service set”: larger files then go in parts.',
  parts: 'Allow files in parts with --parts of “coffer service set”, or compress the file first.',
  downloadFolder: 'Choose another folder with -o, or with --download-folder of “coffer service set”.',
  existsUnseen: 'Choose another identifier, or let the service decide with --store-anyway.',
  teamComputer: 'For another computer of yours, use “coffer team invite-computer”.',
  leaveTeam: 'Leave the team first with “coffer team leave”.',
  teamPassword:
    'Join on a terminal, which asks for it, or with --server. If the team was joined, give it with “coffer team sign-in”.',
  teamLogin: 'Ask whoever runs the server for a new password, and give it with “coffer team sign-in”.',
  teamAddress:
    'Choose the service with --service. Join with --any-address only if both addresses lead to the same service.',
  otherTeam: 'Use an invitation for that one, or leave the team first with “coffer team leave”.',
  teamUnshared: 'Share them first with “coffer team sync”, or leave without them with --drop-unshared.',
  serviceUnfinished:
    'Open Coffer and let them finish (“coffer transfers” shows how far they are), or discard what is only on this computer with --drop-unfinished.',
  encoding:
    'Save it as UTF-8, or name its encoding with --encoding, for example cp1252. Nothing was imported.',
  log: 'The log in the data folder may tell more: “coffer doctor” says where that is.',
  tooLong: 'takes at most {max, number} characters, and at least one.',
  wrongNumber: 'takes a whole number of bytes, from 1 to {max, number}.',
  tooMany: 'takes at most {max, number} classifications, each of at most {length, number} characters.',
  notAFolder: 'takes a folder that exists, or default.',
});

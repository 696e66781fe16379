import type { AppErrorOf } from '../../shared/errors.ts';
import type { ErrorText } from './error-text.ts';

/** A proxy as people write it: host and port, with its scheme only where that is not http. */
export function proxyName(origin: string): string {
  return origin.replace(/^http:\/\//, '');
}

/** What is wrong on the way over a proxy. It names the proxy, never the service. */
export function proxyText({ proxy, reason, answered }: AppErrorOf<'proxyFailed'>): ErrorText {
  const name = proxyName(proxy);
  const stopped = 'Coffer stopped there: neither the token nor a certificate was sent.';
  const unreachable = 'The proxy cannot be reached';
  switch (reason) {
    case 'dns':
      return {
        title: unreachable,
        what: `No computer is known as ${name}.`,
        next: 'Check the address of the proxy, or set another one for this service.',
      };
    case 'refused':
      return {
        title: unreachable,
        what: `${name} is there, but nothing answers at this port.`,
        next: 'Check the port of the proxy.',
      };
    case 'reset':
      return { title: unreachable, what: `${name} closed the connection.`, next: 'Try again in a moment.' };
    case 'timeout':
      return {
        title: unreachable,
        what: `${name} did not answer in time.`,
        next: 'Check the network and the address of the proxy.',
      };
    case 'offline':
      return {
        title: unreachable,
        what: `There is no way from this computer to ${name}.`,
        next: 'Coffer goes on when the network is back.',
      };
    case 'tls':
    case 'notAProxy':
      return {
        title: 'This is not a proxy',
        what: `${name} does not speak as a proxy does.`,
        next: 'Check the address and the port of the proxy.',
      };
    case 'other':
      return {
        title: unreachable,
        what: `The way to ${name} failed.`,
        next: 'Check the address of the proxy and the network.',
      };
    case 'untrusted':
      return {
        title: "The proxy's certificate is not trusted",
        what: `${name} could not prove who it is. ${stopped}`,
        next: 'Choose the authority file of whoever runs the proxy.',
      };
    case 'passwordMissing':
      return {
        title: 'The proxy asks for a password',
        what: `${name} answered ${answered ?? 407}. ${stopped}`,
        next: 'Enter the name and password for the proxy.',
      };
    case 'passwordRefused':
      return {
        title: 'The proxy refused the password',
        what: `${name} does not take this name and password. Coffer does not send them again.`,
        next: 'Enter the name and password for the proxy again.',
      };
    case 'passwordScheme':
      return {
        title: 'The proxy asks for another sign-in',
        what: `${name} does not take a name and password, only a sign-in that Coffer does not speak (Kerberos or NTLM, say).`,
        next: 'Ask whoever runs the proxy, or set another one for this service.',
      };
    case 'denied':
      return {
        title: 'The proxy does not let Coffer through',
        what: `${name} refused the way to the service${answeredWith(answered)}.`,
        next: 'Ask whoever runs the proxy to allow it.',
      };
    case 'noWay':
      return {
        title: 'The proxy did not reach the service',
        what: `${name} is there, but found no way to the service${answeredWith(answered)}.`,
        next: 'Check the address of the service. It may also be away.',
      };
    case 'unsupported':
      return {
        title: 'A kind of proxy that Coffer does not speak',
        what: `The system names ${name}. Coffer speaks http and https to proxies, not SOCKS.`,
        next: 'Set another proxy for this service, or none.',
      };
  }
}

const answeredWith = (status: number | null) => (status === null ? '' : `: it answered ${status}`);

export const proxyAddressProblems: Record<
  AppErrorOf<'badProxyAddress'>['problem'],
  { what: string; next?: string }
> = {
  notUrl: { what: 'It is not an address.', next: 'Write it like http://proxy.example.org:3128' },
  scheme: { what: 'It must begin with http:// or https://' },
  credentials: {
    what: 'It holds a name or a password.',
    next: 'Leave them out. They are asked for when the proxy wants them, and go to the keychain.',
  },
  path: { what: 'It holds more than a host and a port.', next: 'Leave out what follows the port.' },
};

/** The file of a client certificate. */
export function clientFileText({ problem, fileName }: AppErrorOf<'badClientCertificate'>): ErrorText {
  const file = fileName === '' ? 'The file' : fileName;
  switch (problem) {
    case 'passphrase':
      return {
        title: 'The client certificate stays locked',
        what: `This passphrase does not open ${fileName === '' ? 'the file' : fileName}.`,
        next: 'Enter its passphrase; the field stands under Optional.',
      };
    case 'format':
      return {
        title: 'The client certificate is in an old format',
        what: `${file} is locked in a way that is not safe any more, and Coffer does not open it.`,
        next: 'Have it exported again, with AES.',
      };
    case 'unreadable':
      return {
        title: 'Not a client certificate',
        what: `${file} holds no certificate with its key that Coffer can read.`,
        next: 'Choose a PFX file; its name ends with .pfx or .p12.',
      };
  }
}

/** What the service said of the certificate that it was shown. */
export function clientCertificateText({ reason, host }: AppErrorOf<'clientCertificateRefused'>): ErrorText {
  switch (reason) {
    case 'missing':
      return {
        title: 'The service asks for a client certificate',
        what: `${host} lets nobody in without one. The token was not read.`,
        next: 'Choose your client certificate under Optional.',
      };
    case 'refused':
      return {
        title: 'Client certificate refused',
        what: `${host} does not accept the certificate that it was shown.`,
        next: 'Choose another one, or ask whoever runs the service.',
      };
    case 'expired':
      return {
        title: 'Client certificate expired',
        what: `${host} says that the certificate has expired.`,
        next: 'Get a new one from whoever runs the service.',
      };
    case 'closed':
      return {
        title: 'Client certificate not accepted, it seems',
        what: `${host} was asked with the certificate and closed the connection without a word, as many services do with one that they do not accept.`,
        next: 'Check that it is the right one for this service, or test again without it.',
      };
  }
}

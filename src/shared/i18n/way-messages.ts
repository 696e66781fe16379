import { messages } from './messages.ts';

/** Failures on the way to the service: network, certificates, proxy. Texts about the proxy never name the service. */
export const wayMessages = messages('way', {
  unreachable: {
    title: 'Can’t reach the service',
    dns: { what: 'No computer named {host} was found.', next: 'Check the spelling of the address.' },
    refused: {
      what: 'No service answers at {host}.',
      whatHere: 'No service answers at port {port} of this computer.',
      next: 'Check the port in the address.',
    },
    reset: { what: '{host} closed the connection.', next: 'Try again in a moment.' },
    timeout: { what: '{host} didn’t answer in time.', next: 'Check the network, VPN and firewall.' },
    offline: { what: 'This computer is offline.', next: 'Coffer continues when the network is back.' },
    localNetwork: {
      what: '{host} is in the local network and doesn’t answer, or macOS keeps Coffer out of that network.',
      next: 'Allow Coffer in System Settings under Privacy & Security, Local Network. If it is allowed there, check that the service is on.',
    },
    tls: {
      what: 'A secure connection to {host} failed.',
      next: 'Check that the address and port belong to an https service, and whether it requires a client certificate.',
    },
    other: { what: 'The connection to {host} failed.', next: 'Check the address and the network.' },
  },
  answerTimeout: {
    title: 'No answer in time',
    headers: 'The service didn’t answer for {duration}.',
    body: 'The answer stopped for {duration}.',
    next: 'Try again in a moment.',
  },
  connectionLost: {
    title: 'Connection lost',
    after: 'It was lost after {size}.',
    check: 'Coffer checks what the service has.',
    again: 'Try again.',
  },
  certificate: {
    title: 'Certificate not trusted',
    unknownAuthority: {
      what: 'It was issued by an authority that this computer doesn’t know. Coffer stopped there. The token was not sent.',
      next: 'Compare the fingerprint with the people who run the service, then choose their CA certificate file.',
    },
    selfSigned: {
      what: 'It is self-signed. Coffer stopped there. The token was not sent.',
      next: 'Compare the fingerprint with the people who run the service, then choose the certificate as CA certificate file.',
    },
    expired: {
      what: 'It has expired. Coffer stopped there. The token was not sent.',
      next: 'The people who run the service must renew it.',
    },
    wrongHost: {
      what: 'It was issued for a host other than {host}. Coffer stopped there. The token was not sent.',
      next: 'Check the base address.',
    },
    other: { what: 'It couldn’t be verified. Coffer stopped there. The token was not sent.' },
  },
  proxy: {
    unreachable: 'The proxy can’t be reached',
    dns: {
      what: 'No computer named {proxy} was found.',
      next: 'Check the proxy address, or choose another proxy for this service.',
    },
    refused: {
      what: 'No proxy answers at {proxy}.',
      next: 'Check the port of the proxy.',
    },
    reset: { what: '{proxy} closed the connection.', next: 'Try again in a moment.' },
    timeout: { what: '{proxy} didn’t answer in time.', next: 'Check the network and the proxy address.' },
    offline: {
      what: '{proxy} can’t be reached from this computer.',
      next: 'Coffer continues when the network is back.',
    },
    localNetwork: {
      what: '{proxy} is in the local network and doesn’t answer, or macOS keeps Coffer out of that network.',
      next: 'Allow Coffer in System Settings under Privacy & Security, Local Network. If it is allowed there, check that the proxy is on.',
    },
    other: {
      what: 'The connection to {proxy} failed.',
      next: 'Check the proxy address and the network.',
    },
    notAProxy: {
      title: 'This is not a proxy',
      what: '{proxy} doesn’t answer like a proxy.',
      next: 'Check the address and port of the proxy.',
    },
    untrusted: {
      title: 'The proxy’s certificate is not trusted',
      what: '{proxy} couldn’t prove its identity. Coffer stopped there: neither the token nor a certificate was sent.',
      next: 'Choose the CA certificate file of the people who run the proxy.',
    },
    passwordMissing: {
      title: 'The proxy requires a password',
      what: '{proxy} answered {status}. Coffer stopped there: neither the token nor a certificate was sent.',
      next: 'Enter the name and password for the proxy.',
    },
    passwordRefused: {
      title: 'The proxy refused the password',
      what: '{proxy} doesn’t accept this name and password. Coffer won’t send them again.',
      next: 'Enter the name and password for the proxy again.',
    },
    passwordScheme: {
      title: 'The proxy requires another kind of sign-in',
      what: '{proxy} doesn’t accept a name and password, only a sign-in that Coffer doesn’t support, such as Kerberos or NTLM.',
      next: 'Ask the people who run the proxy, or choose another one for this service.',
    },
    denied: {
      title: 'The proxy blocks Coffer',
      what: '{proxy} refused to connect to the service.',
      whatStatus: '{proxy} refused to connect to the service and answered {status}.',
      next: 'Ask the people who run the proxy to allow it.',
    },
    noWay: {
      title: 'The proxy couldn’t reach the service',
      what: '{proxy} responds but found no way to the service.',
      whatStatus: '{proxy} responds but found no way to the service and answered {status}.',
      next: 'Check the address of the service. It may also be unavailable.',
    },
    unsupported: {
      title: 'Unsupported kind of proxy',
      what: 'The system uses {proxy}. Coffer supports http and https proxies, not SOCKS.',
      next: 'Choose another proxy for this service, or none.',
    },
  },
  proxyAddress: {
    title: 'Invalid proxy address',
    notUrl: { what: 'This isn’t an address.', next: 'Use the form {example}' },
    scheme: 'It must start with http:// or https://',
    credentials: {
      what: 'It contains a user name or a password.',
      next: 'Remove them. Coffer asks for them when the proxy requires them and keeps them in the keychain.',
    },
    path: { what: 'It contains more than a host and a port.', next: 'Remove what follows the port.' },
  },
  clientFile: {
    passphrase: {
      title: 'The client certificate is locked',
      what: 'This passphrase doesn’t open {fileName}.',
      whatUnnamed: 'This passphrase doesn’t open the file.',
      next: 'Enter its passphrase under Optional.',
    },
    format: {
      title: 'The client certificate can’t be opened here',
      what: 'The way that {fileName} is encrypted isn’t supported here. Coffer’s window and its command support different ways.',
      whatUnnamed:
        'The way that the file is encrypted isn’t supported here. Coffer’s window and its command support different ways.',
      next: 'Have it exported again with AES-256 and SHA-256, which both support.',
    },
    unreadable: {
      title: 'Not a client certificate',
      what: '{fileName} contains no certificate with a key that Coffer can read.',
      whatUnnamed: 'The file contains no certificate with a key that Coffer can read.',
      next: 'Choose a PFX file. Its name ends with .pfx or .p12.',
    },
  },
  clientCertificate: {
    missing: {
      title: 'The service requires a client certificate',
      what: '{host} accepts no connection without one. The token was not read.',
      next: 'Choose your client certificate under Optional.',
    },
    refused: {
      title: 'Client certificate refused',
      what: '{host} doesn’t accept this certificate.',
      next: 'Choose another one, or ask the people who run the service.',
    },
    expired: {
      title: 'Client certificate expired',
      what: '{host} reports that the certificate has expired.',
      next: 'Get a new one from the people who run the service.',
    },
    closed: {
      title: 'Client certificate probably not accepted',
      what: '{host} closed the connection after it received the certificate, as many services do when they don’t accept one.',
      next: 'Check that it is the right one for this service, or test again without it.',
    },
  },
});

import { formatDuration, formatProgress, formatSize } from './format.ts';
import { connectExamples } from './connect-examples.ts';
import { wayMessages as texts } from './way-messages.ts';
import type { AppErrorOf } from '../errors.ts';
import type { ErrorText } from './error-messages.ts';

/** Display name of a proxy: host and port, with a scheme unless it is http. */
export function proxyName(origin: string): string {
  return origin.replace(/^http:\/\//, '');
}

/** A loopback address with its port. */
const thisComputer = /^(?:localhost|127\.[\d.]+|\[::1\]):(\d+)$/;

export function unreachableText({ host, reason }: AppErrorOf<'unreachable'>): ErrorText {
  const { title, refused } = texts.unreachable;
  const port = thisComputer.exec(host)?.[1];
  if (reason === 'refused' && port !== undefined)
    return { title, what: refused.whatHere({ port }), next: refused.next };
  const { what, next } = texts.unreachable[reason];
  return { title, what: typeof what === 'string' ? what : what({ host }), next };
}

export function answerTimeoutText({ phase, afterMs }: AppErrorOf<'answerTimeout'>): ErrorText {
  const { title, next } = texts.answerTimeout;
  return { title, what: texts.answerTimeout[phase]({ duration: formatDuration(afterMs) }), next };
}

export function connectionLostText(error: AppErrorOf<'connectionLost'>): ErrorText {
  const { title, after, check, again } = texts.connectionLost;
  const { doneBytes, expectedBytes } = error;
  const size = expectedBytes === null ? formatSize(doneBytes) : formatProgress(doneBytes, expectedBytes);
  return { title, what: after({ size }), next: error.outcomeUnknown ? check : again };
}

export function certificateText({ host, reason }: AppErrorOf<'certificateNotTrusted'>): ErrorText {
  const { title, [reason]: text } = texts.certificate;
  return { title, ...text, what: typeof text.what === 'string' ? text.what : text.what({ host }) };
}

/** A problem of the connection through a proxy. The text names the proxy, never the service. */
export function proxyText({ proxy: origin, reason, answered }: AppErrorOf<'proxyFailed'>): ErrorText {
  const proxy = proxyName(origin);
  switch (reason) {
    case 'dns':
    case 'refused':
    case 'reset':
    case 'timeout':
    case 'offline':
    case 'localNetwork':
    case 'other': {
      const { what, next } = texts.proxy[reason];
      return { title: texts.proxy.unreachable, what: what({ proxy }), next };
    }
    case 'denied':
    case 'noWay': {
      const { title, what, whatStatus, next } = texts.proxy[reason];
      return {
        title,
        what: answered === null ? what({ proxy }) : whatStatus({ proxy, status: String(answered) }),
        next,
      };
    }
    case 'passwordMissing': {
      const { title, what, next } = texts.proxy.passwordMissing;
      return { title, what: what({ proxy, status: String(answered ?? 407) }), next };
    }
    case 'tls':
    case 'notAProxy':
    case 'untrusted':
    case 'passwordRefused':
    case 'passwordScheme':
    case 'unsupported': {
      const { title, what, next } = texts.proxy[reason === 'tls' ? 'notAProxy' : reason];
      return { title, what: what({ proxy }), next };
    }
  }
}

export function proxyAddressText(problem: AppErrorOf<'badProxyAddress'>['problem']): ErrorText {
  const { title, notUrl, scheme } = texts.proxyAddress;
  if (problem === 'scheme') return { title, what: scheme };
  if (problem === 'notUrl')
    return { title, what: notUrl.what, next: notUrl.next({ example: connectExamples.proxyAddress }) };
  return { title, ...texts.proxyAddress[problem] };
}

/** A problem of a client certificate's file. */
export function clientFileText({ problem, fileName }: AppErrorOf<'badClientCertificate'>): ErrorText {
  const { title, what, whatUnnamed, next } = texts.clientFile[problem];
  return { title, what: fileName === '' ? whatUnnamed : what({ fileName }), next };
}

/** The service's reason for refusing the client certificate. */
export function clientCertificateText({ reason, host }: AppErrorOf<'clientCertificateRefused'>): ErrorText {
  return { ...texts.clientCertificate[reason], what: texts.clientCertificate[reason].what({ host }) };
}

/** By error code, for codes whose errors share one title. */
export const wayTitles = {
  unreachable: texts.unreachable,
  answerTimeout: texts.answerTimeout,
  connectionLost: texts.connectionLost,
  certificateNotTrusted: texts.certificate,
  badProxyAddress: texts.proxyAddress,
  proxyFailed: texts.proxy.noWay,
  clientCertificateRefused: texts.clientCertificate.refused,
  badClientCertificate: texts.clientCertificate.refused,
};

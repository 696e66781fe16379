import { expect, it } from 'vitest';
import type { AppError } from '../../shared/errors.ts';
import { waitingText } from './waiting-text.ts';

function textOf(error: AppError | null): string {
  const waiting = {
    waitingFor: 'network',
    priority: 'normal',
    retryAtMs: 13_000,
    place: null,
    isHeld: false,
  } as const;
  return waitingText({ ...waiting, error }, 1000);
}

it('names the proxy or certificate instead of the service when that is the cause', () => {
  expect(textOf({ code: 'unreachable', host: 'h', reason: 'refused' })).toBe(
    'Waiting for the service, next try in 12 s',
  );
  expect(
    textOf({ code: 'proxyFailed', reason: 'refused', proxy: 'http://p.test:3128', answered: null }),
  ).toBe('Waiting, the proxy can’t be reached, next try in 12 s');
  expect(textOf({ code: 'clientCertificateRefused', reason: 'missing', host: 'h' })).toBe(
    'Waiting, the service requires a client certificate, next try in 12 s',
  );
});

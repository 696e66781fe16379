import { expect, it } from 'vitest';
import type { AppError } from '../../shared/errors.ts';
import { causeText } from './cause-text.ts';
import { type Waiting, waitingText, waitingWord } from './waiting-text.ts';

const nowMs = 1000;
const retry = (error: AppError): Partial<Waiting> => ({ waitingFor: 'retry', retryAtMs: 7000, error });
const away = (reason: 'offline' | 'refused'): Partial<Waiting> => ({
  waitingFor: 'network',
  retryAtMs: 13_000,
  error: { code: 'unreachable', host: 'h', reason },
});
const proxy = {
  code: 'proxyFailed',
  reason: 'refused',
  proxy: 'http://p.test:3128',
  answered: null,
} as const;
const certificate = { code: 'clientCertificateRefused', reason: 'missing', host: 'h' } as const;

/** What is waited for; in full, and as a column of the list begins it. */
const table: [Partial<Waiting>, string, string][] = [
  [{ waitingFor: 'turn' }, 'Waiting for its turn', 'Waiting'],
  [{ waitingFor: 'turn', place: 3 }, '3rd in line', 'Waiting'],
  [{ waitingFor: 'turn', place: 3, priority: 'whenIdle' }, 'When nothing else is waiting', 'Waiting'],
  [{ waitingFor: null }, 'Waiting for its turn', 'Waiting'],
  [{ waitingFor: 'paused', place: 3 }, 'Paused', 'Paused'],
  [{ waitingFor: 'token' }, 'Waiting for a new token', 'Waiting'],
  [
    { waitingFor: 'answer' },
    'Waiting for your answer. The identifier already exists, and nothing was replaced.',
    'Waiting',
  ],
  [away('offline'), 'Waiting 12 s, this computer is offline', 'Waiting 12 s'],
  [away('refused'), 'Waiting 12 s, can’t reach the service', 'Waiting 12 s'],
  [{ ...away('refused'), retryAtMs: null }, 'Waiting, can’t reach the service', 'Waiting'],
  [{ ...away('refused'), error: null }, 'Waiting 12 s', 'Waiting 12 s'],
  [{ ...away('refused'), error: proxy }, 'Waiting 12 s, the proxy can’t be reached', 'Waiting 12 s'],
  [
    { ...away('refused'), error: certificate },
    'Waiting 12 s, the service requires a client certificate',
    'Waiting 12 s',
  ],
  [
    retry({ code: 'tooManyRequests', status: 429, retryAfterMs: 6000 }),
    'Waiting 6 s, too many requests',
    'Waiting 6 s',
  ],
  [
    retry({ code: 'serverError', status: 503, retryAfterMs: null }),
    'Waiting 6 s, the service had an error',
    'Waiting 6 s',
  ],
  [
    retry({ code: 'connectionLost', doneBytes: 1, expectedBytes: 2, outcomeUnknown: false }),
    'Waiting 6 s, connection lost',
    'Waiting 6 s',
  ],
  [retry({ code: 'diskFull', folderName: 'Downloads' }), 'Waiting 6 s, the disk is full', 'Waiting 6 s'],
];

it.each(table)('says what %j waits for', (change, text, word) => {
  const waiting: Waiting = {
    waitingFor: 'turn',
    priority: 'normal',
    retryAtMs: null,
    error: null,
    place: null,
    ...change,
  };
  expect(waitingText(waiting, nowMs)).toBe(text);
  expect(waitingWord(waiting, nowMs)).toBe(word);
});

it('says the same of many that wait for it', () => {
  const error = { code: 'tooManyRequests', status: 429, retryAfterMs: 6000 } as const;
  const cause = {
    serviceId: 'p1',
    group: 'waiting',
    code: error.code,
    count: 13,
    error,
    retryAtMs: 7000,
  } as const;
  expect(causeText(cause, false)).toBe('13 waiting: too many requests');
  expect(causeText(cause, true)).toBe('13 paused');
  expect(causeText({ ...cause, code: 'tokenRefused', error: null }, false)).toBe(
    '13 waiting for a new token',
  );
});

import { expect, test } from 'vitest';
import { createTestLog } from '../../../test-support/main/test-ports.ts';
import { createVirtualClock } from '../../../test-support/main/transfers/virtual-clock.ts';
import { createSystemAnswers } from './environment-proxy.ts';

/** A system that looks up one address at a time, as Electron does (shell/browser/net/resolve_proxy_helper.cc). */
function createSystem() {
  const clock = createVirtualClock();
  const log = createTestLog();
  const asked: string[] = [];
  const hanging = new Set<string>();
  let lookUp: Promise<unknown> = Promise.resolve();
  const system = {
    says: 'PROXY proxy.test:3128',
    resolve(url: string): Promise<string> {
      asked.push(url);
      const answer = lookUp.then(() =>
        hanging.has(url) ? new Promise<string>(() => undefined) : system.says,
      );
      lookUp = answer;
      return answer;
    },
  };
  return { clock, log, asked, hanging, system, answerFor: createSystemAnswers(system, clock, log) };
}

test('looks up an origin at most once a minute', async () => {
  const { clock, asked, system, answerFor } = createSystem();
  const both = [answerFor('https://a.test'), answerFor('https://a.test')];
  expect(await Promise.all(both)).toEqual([system.says, system.says]);
  await clock.advance(59_000);
  await answerFor('https://a.test');
  expect(asked).toEqual(['https://a.test/']);
  system.says = 'DIRECT';
  await clock.advance(1_000);
  expect(await answerFor('https://a.test')).toBe('DIRECT');
});

test('a hanging look-up delays callers by ten seconds at most, and later ones not at all', async () => {
  const { clock, log, hanging, answerFor } = createSystem();
  hanging.add('https://hangs.test/');
  const answers: string[] = [];
  for (const origin of ['https://hangs.test', 'https://b.test'])
    void answerFor(origin).then((text) => answers.push(`${origin} ${text}`));
  await clock.advance(9_900);
  expect(answers).toEqual([]);
  await clock.advance(200);
  expect(answers.toSorted()).toEqual(['https://b.test ', 'https://hangs.test ']);
  expect(await answerFor('https://hangs.test')).toBe('');
  expect(log.lines).toHaveLength(2);
});

test('uses the last answer until there is a new one', async () => {
  const { clock, hanging, system, answerFor } = createSystem();
  await answerFor('https://a.test');
  hanging.add('https://a.test/');
  await clock.advance(60_000);
  const again = answerFor('https://a.test');
  await clock.advance(10_000);
  expect(await again).toBe(system.says);
});

test('uses a late answer from then on', async () => {
  const clock = createVirtualClock();
  const { promise, resolve } = Promise.withResolvers<string>();
  const answerFor = createSystemAnswers({ resolve: () => promise }, clock, createTestLog());
  const first = answerFor('https://a.test');
  await clock.advance(10_000);
  expect(await first).toBe('');
  resolve('DIRECT');
  await clock.advance(0);
  expect(await answerFor('https://a.test')).toBe('DIRECT');
});

import { expect, test } from 'vitest';
import { appOrigin, startPage } from './app-origin.ts';
import { isTrustedSender } from './trusted-sender.ts';

const ours = { parent: null, origin: appOrigin, isDestroyed: () => false };

test('trusts only the top frame of its own page', () => {
  expect(isTrustedSender(ours, appOrigin)).toBe(true);
  expect(isTrustedSender(null, appOrigin)).toBe(false);
  expect(isTrustedSender({ ...ours, isDestroyed: () => true }, appOrigin)).toBe(false);
  expect(isTrustedSender({ ...ours, parent: ours as never }, appOrigin)).toBe(false);
  for (const origin of ['null', '', 'app://other', 'app://coffer.example', 'https://coffer', 'file://']) {
    expect(isTrustedSender({ ...ours, origin }, appOrigin)).toBe(false);
  }
});

// Electron leaves `detached` set then.
test('trusts the page that was loaded again after a crash', () => {
  const again = { ...ours, detached: true };
  expect(isTrustedSender(again, appOrigin)).toBe(true);
});

test('a packaged build takes no address from the environment', () => {
  const development = 'http://localhost:5173/';
  expect(startPage(true, development)).toEqual({ url: 'app://coffer/index.html', origin: appOrigin });
  expect(startPage(false, undefined).origin).toBe(appOrigin);
  expect(startPage(false, development)).toEqual({ url: development, origin: 'http://localhost:5173' });
});

import { expect, it } from 'vitest';
import { readUpdateSource } from './update-source.ts';

const address = 'https://releases.example/newest.json';
const page = 'https://releases.example/coffer';

it('returns null if no addresses are set', () => {
  expect(readUpdateSource({})).toBeNull();
  expect(readUpdateSource({ COFFER_UPDATE_ADDRESS: '', COFFER_RELEASE_PAGE: '' })).toBeNull();
});

it('takes both as https addresses', () => {
  expect(readUpdateSource({ COFFER_UPDATE_ADDRESS: address, COFFER_RELEASE_PAGE: page })).toEqual({
    address,
    releasePage: page,
  });
});

it.each([
  [address, undefined],
  [undefined, page],
  ['http://releases.example/newest.json', page],
  [address, 'https://me:secret@releases.example/coffer'],
  ['newest.json', page],
])('fails the build for %s and %s', (COFFER_UPDATE_ADDRESS, COFFER_RELEASE_PAGE) => {
  expect(() => readUpdateSource({ COFFER_UPDATE_ADDRESS, COFFER_RELEASE_PAGE })).toThrow('https');
});

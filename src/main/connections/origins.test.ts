import { expect, it } from 'vitest';
import { isSameOrigin, originOf } from './origins.ts';

const at = (baseAddress: string) => originOf({ isLocal: false, baseAddress });

it.each([
  ['http://localhost:8960', 'http://127.0.0.1:8960/', true],
  ['http://[::1]:8960/store', 'http://localhost:8960/store/', true],
  ['https://archive.example:443', 'https://archive.example/', true],
  ['http://localhost:8960', 'http://localhost:8961', false],
  ['http://localhost:8960', 'https://localhost:8960', false],
  ['http://localhost', 'http://localhost.example', false],
  ['http://127.0.0.1.example', 'http://localhost', false],
  ['http://localhost/a', 'http://localhost/b', false],
])('%s and %s are one service: %s', (one, other, isSame) => {
  expect(isSameOrigin(at(one), at(other))).toBe(isSame);
});

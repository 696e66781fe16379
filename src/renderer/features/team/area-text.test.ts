import { expect, it } from 'vitest';
import { areaText } from './area-text.ts';

it('makes bidi control characters in a folder’s name visible', () => {
  expect(areaText({ prefix: 'reports\u202e/', classification: null })).toBe('reports\ufffd/');
  expect(areaText({ prefix: '', classification: 'Secret\u202e' })).toBe('Classification Secret\ufffd');
});

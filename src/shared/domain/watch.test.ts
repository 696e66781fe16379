import { expect, it } from 'vitest';
import { badPatterns, ignoreDefault } from './watch.ts';

it('refuses patterns that would match nothing', () => {
  const bad = ['/build', './build', '../build', '!keep', 'build\\', 'build\\out', '[z-a]'];
  expect(badPatterns(bad)).toEqual(bad);
  const literal = ['\\!keep', '\\[1\\]', 'a\\\\', 'a!', '...'];
  expect(badPatterns([...ignoreDefault, 'build/', 'drafts/**', '*.{a,b}', '[!a-z]*', ...literal])).toEqual(
    [],
  );
});

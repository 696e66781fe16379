import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

it('no style uses left or right', () => {
  const wrong = globSync('src/renderer/**/*.css', { cwd: root }).flatMap((file) =>
    read(file)
      .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ''))
      .split('\n')
      .flatMap((line, index) => {
        const [, property = '', value = ''] = /^\s*([\w-]+):\s*([^;]*);/.exec(line) ?? [];
        const sides = /^(margin|padding|inset)$/.test(property) ? sidesOf(value) : [];
        const isLopsided = sides.length === 4 && sides[1] !== sides[3];
        return /\b(left|right)\b/.test(line) || isLopsided ? [`${file}:${index + 1} ${line.trim()}`] : [];
      }),
  );
  expect(wrong).toEqual([]);
});

it('positions no component by left and right, except the menu at the pointer', () => {
  const pattern = /\b(?:(?:margin|padding|border)(?:Left|Right)|(?:left|right)): (?!\[)[\w(`]/;
  const wrong = globSync('src/renderer/**/*.tsx', { cwd: root })
    .filter((file) => !file.includes('.test.'))
    .flatMap((file) =>
      read(file)
        .split('\n')
        .filter((line) => /style=\{\{/.test(line) && pattern.test(line))
        .map((line) => `${file.replaceAll('\\', '/')} ${line.trim()}`),
    );
  expect(wrong).toEqual([expect.stringMatching(/^src\/renderer\/ui\/Menu\.tsx .*className="menu__point"/)]);
});

/** The parts of a value; a bracketed expression is one part. */
function sidesOf(value: string): readonly string[] {
  return value.match(/(?:[^\s()]|\((?:[^()]|\([^()]*\))*\))+/g) ?? [];
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askMs, idleMs, longestMs } from '../src/shared/domain/approval.ts';
import { automaticMaxBytes, previewMaxBytes } from '../src/shared/domain/preview.ts';
import { clipboardMs } from '../src/shared/domain/secret.ts';
import { root } from './tools.js';

/** The rows of the tables at the end of docs/security.md. */
function readRows() {
  const [, tables = ''] = readFileSync(join(root, 'docs', 'security.md'), 'utf8').split(
    /^## What keeps each promise$/m,
  );
  const lines = tables.split('\n').filter((line) => /^\|(?! Promise |---)/.test(line));
  return lines.map((line) => {
    const [, promise, file, name, ...rest] = line.split('|').map((cell) => cell.trim());
    return { line, promise, file: file?.replaceAll('`', ''), name, isRow: rest.length === 1 };
  });
}

/** The texts in the code that a comma or a colon follows: names of tests are among them. */
function textsIn(file) {
  const code = readFileSync(join(root, file), 'utf8');
  return [...code.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])*)\1\s*[,:]/g)].map(([, , text]) =>
    text.replaceAll(/\\(['"`])/g, '$1'),
  );
}

test('every promise names one test that exists', () => {
  const rows = readRows();
  const wrong = rows.flatMap(({ line, promise, file, name, isRow }) => {
    if (!isRow || !promise || !name) return [`no promise, file and test: ${line}`];
    if (!/\.(test|spec)\.[jt]sx?$/.test(file) || !existsSync(join(root, file)))
      return [`no test file: ${file} (${promise})`];
    const count = new Set(textsIn(file).filter((text) => text.includes(name))).size;
    return count === 1 ? [] : [`${count} tests of ${file} are named “${name}” (${promise})`];
  });
  expect(rows.length).toBeGreaterThan(100);
  expect(wrong).toEqual([]);
});

/** Tests measure with the constants of the code, and would follow a changed one. */
test('the times and sizes of the pages are those of the code', () => {
  const minuteMs = 60_000;
  expect({ askMs, idleMs, longestMs }).toEqual({
    askMs: minuteMs,
    idleMs: 10 * minuteMs,
    longestMs: 12 * 60 * minuteMs,
  });
  expect(clipboardMs).toBe(45_000);
  expect([automaticMaxBytes, previewMaxBytes]).toEqual([2, 16].map((megabytes) => megabytes * 1024 * 1024));
});

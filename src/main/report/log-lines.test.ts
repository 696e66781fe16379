import { readFileSync } from 'node:fs';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { settingsSchema } from '../../shared/domain/settings.ts';
import { callOf, errorFacts } from '../crashes/error-facts.ts';
import { cleanLogLine } from './log-lines.ts';

const mark = 'geheim-7';
const marked = fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before}${mark}${after}`);

test('shows no text of a detail that is not one of the code’s own words', () => {
  const keys = fc.oneof(
    fc.string(),
    marked,
    fc.constantFrom(
      'cause',
      'frames',
      'sql',
      'error',
      'serviceId',
      'procedure',
      'version',
      'name',
      'time',
      'level',
    ),
  );
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    any: fc.oneof(marked, fc.integer(), fc.array(tie('any')), fc.dictionary(keys, tie('any'))),
  })).any;
  fc.assert(
    fc.property(fc.dictionary(keys, value), (details) => {
      const line = JSON.stringify({ ...details, msg: 'a step' });
      // A statement is a constant too; its literals are removed.
      if (typeof details['sql'] === 'string') return;
      expect(cleanLogLine(line, () => undefined)).not.toContain(mark);
    }),
    { numRuns: 500 },
  );
});

test('keeps what helps', () => {
  const line = {
    level: 'info',
    time: '2026-11-24T10:00:00.000Z',
    id: 3,
    from: 'waiting',
    to: 'failed',
    error: 'diskFull',
    serviceId: 'f81d',
    msg: 'transfer step',
  };
  expect(cleanLogLine(JSON.stringify(line), (id) => (id === 'f81d' ? 2 : undefined))).toBe(
    '2026-11-24T10:00:00.000Z info  transfer step  id=3  from=waiting  to=failed  error=diskFull  serviceId=2',
  );
});

test('keeps of an error its kind and where it was thrown', () => {
  const { frames, ...facts } = errorFacts(
    Object.assign(new TypeError(`${mark}\n    at ${mark} (x.js:1:1)`), {
      code: 'ENOENT',
      cause: new Error(mark),
    }),
  );
  expect(facts).toMatchObject({ name: 'TypeError', code: 'ENOENT', cause: { name: 'Error' } });
  expect(frames[0]).toMatch(/^log-lines\.test\.ts:\d+:\d+$/);
  expect(
    callOf('    at async Engine.run (C:\\Users\\Max\\Coffer\\resources\\app.asar\\out\\main\\index.js:7:1)'),
  ).toBe('async Engine.run index.js:7:1');
});

/** A report shows the messages of the log as they are. */
test('messages of the log are constants', () => {
  const root = join(import.meta.dirname, '..');
  const calls = globSync('**/*.ts', { cwd: root })
    .filter((path) => !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return [...text.matchAll(/\blog\??\.(?:info|warn|error)\(\s*(.{0,40})/g)].map(
        ([, first = '']) => `${path}: ${first}`,
      );
    });
  expect(calls.length).toBeGreaterThan(50);
  const others = calls.filter((call) => !/: '/.test(call));
  expect(others).toEqual([
    // Constants of lifecycle.ts.
    'index.ts: note);',
    expect.stringMatching(/^edits\/edit-record\.ts: isRead \? '/),
  ]);
});

/** A report shows the values of settings as they are. */
test('settings have no text that a person writes', () => {
  const texts: unknown[] = [];
  JSON.stringify(z.toJSONSchema(settingsSchema), (_key, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'string')
      texts.push(value);
    return value;
  });
  expect(texts.length).toBeGreaterThan(3);
  for (const text of texts) expect(text).toHaveProperty('enum');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEnvFile } from './env-file.ts';
import { formatReference, parseReference } from './reference.ts';
import { parseTemplate, parseValue } from './template.ts';

const place = { source: '.env', line: 1, name: 'A' };

test('a reference names a service and an identifier', () => {
  expect(parseReference('coffer://Meridian%20Archive/secret/db/ledger/primary-url')).toMatchObject({
    service: 'Meridian Archive',
    identifier: 'db/ledger/primary-url',
  });
});

test.each(['coffer://', 'coffer://A', 'coffer://A/secret/', 'coffer://A/data/x', 'coffer:///secret/x'])(
  '%s is not a reference',
  (text) => {
    expect(parseReference(text)).toBe('form');
  },
);

test('rejects invalid percent-encoding', () => {
  expect(parseReference('coffer://A/secret/100%')).toBe('encoding');
  expect(parseReference('coffer://A/secret/%ff')).toBe('encoding');
});

test('any names survive formatting and parsing', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1 });
  fc.assert(
    fc.property(name, name, (service, identifier) => {
      expect(parseReference(formatReference(service, identifier))).toMatchObject({ service, identifier });
    }),
  );
});

test('a variable is a lone reference, text with references in braces, or neither', () => {
  expect(parseValue('plain', place)).toBeNull();
  expect(parseValue('{{ other }}', place)).toBeNull();
  expect(parseValue('coffer://A/secret/x', place)?.pieces).toMatchObject([
    { reference: { identifier: 'x' } },
  ]);
  expect(parseValue('postgres://u:{{coffer://A/secret/x}}@h', place)?.pieces).toMatchObject([
    Buffer.from('postgres://u:'),
    { reference: { identifier: 'x' } },
    Buffer.from('@h'),
  ]);
});

test('a template reports the line of each problem and leaves other braces alone', () => {
  const text =
    'a: {{ x }}\nb: {{ coffer://A/secret/b }}\nc: {{ coffer://A }}\nd: {{ coffer://A/secret/d\ne: coffer://A/secret/e\n';
  const { pieces, problems } = parseTemplate(Buffer.from(text), { source: 't', line: 1, name: null });
  expect(problems.map(({ problem, place: { line } }) => [problem, line])).toEqual([
    ['form', 3],
    ['unclosed', 4],
    ['bare', 4],
  ]);
  expect(pieces[0]).toEqual(Buffer.from('a: {{ x }}\nb: '));
});

test('an env file may have comments, exports, quotes and multi-line values', () => {
  const text = `# comment
A=1
export B = two words # and a comment
C='single $HOME \\n'
D="double \\"quoted\\" \\n" # comment
E="one
two"
F=
G=a#b
`;
  expect(parseEnvFile(text)).toEqual({
    variables: [
      { name: 'A', value: '1', line: 2 },
      { name: 'B', value: 'two words', line: 3 },
      { name: 'C', value: 'single $HOME \\n', line: 4 },
      { name: 'D', value: 'double "quoted" \n', line: 5 },
      { name: 'E', value: 'one\ntwo', line: 6 },
      { name: 'F', value: '', line: 8 },
      { name: 'G', value: 'a#b', line: 9 },
    ],
    problems: [],
  });
});

test('reports the line of an invalid variable and reads the others', () => {
  const { variables, problems } = parseEnvFile('A=1\nnot one\nB="open\nC=3');
  expect(variables).toEqual([
    { name: 'A', value: '1', line: 1 },
    { name: 'C', value: '3', line: 4 },
  ]);
  expect(problems).toEqual([
    { line: 2, problem: 'form' },
    { line: 3, problem: 'quote' },
  ]);
});

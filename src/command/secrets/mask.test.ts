import { once } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Mask, mask, patternsOf } from './mask.ts';

async function pass(values: readonly string[], pieces: readonly string[]): Promise<string> {
  const stream = new Mask(patternsOf(values.map((value) => Buffer.from(value))));
  let out = '';
  stream.on('data', (piece: Buffer) => (out += piece.toString('latin1')));
  for (const piece of pieces) stream.write(Buffer.from(piece, 'latin1'));
  stream.end();
  await once(stream, 'end');
  return out;
}
const hidden = mask.toString();

test('masks a value across any piece boundary', async () => {
  expect(await pass(['hunter22'], ['a hunter22 b'])).toBe(`a ${hidden} b`);
  expect(await pass(['hunter22'], ['a hun', 'ter2', '2 b hunter2'])).toBe(`a ${hidden} b hunter2`);
  expect(await pass(['aaab'], ['aa', 'aa', 'b'])).toBe(`a${hidden}`);
});

test('masks the longer of two values with the same prefix', async () => {
  expect(await pass(['secret', 'secret-of-ada'], ['secret-of', '-ada secret'])).toBe(`${hidden} ${hidden}`);
});

test.each([
  ['base64', Buffer.from('hunter22').toString('base64')],
  ['base64 with more after it', Buffer.from('hunter22:and more').toString('base64').slice(0, 10)],
  ['base64url', Buffer.from('?>?>hunter').toString('base64url'), '?>?>hunter'],
  ['hexadecimal', Buffer.from('hunter22').toString('hex')],
  ['upper-case hexadecimal', Buffer.from('hunter22').toString('hex').toUpperCase()],
  ['lines of base64', `${'aHVudGVy'.repeat(9)}aHVu\ndGVy${'aHVudGVy'.repeat(2)}`, 'hunter'.repeat(12)],
  ['lines of PEM', `${'aHVudGVy'.repeat(8)}\r\naHVudGVy`, 'hunter'.repeat(9)],
  ['JSON in ASCII', 'p\\u00e4ss\\u00DFword'.replace('DF', 'df'), 'pässßword'],
  ['JSON in upper-case ASCII', 'p\\u00E4ssword', 'pässword'],
  ['JSON for HTML', 'a\\u003cb\\u003e\\/c', 'a<b>/c'],
  ['lower-case percent-encoded', 'p%40ss%c3%a4', 'p@ssä'],
  ['strictly percent-encoded', 'p%21ss%28word%29', 'p!ss(word)'],
  ['a form', 'pass+word%21', 'pass word!'],
  ['JSON', 'with \\"quotes\\" and \\n', 'with "quotes" and \n'],
  ['percent-encoded', 'p%40ss%20word', 'p@ss word'],
  ['as a terminal writes lines', 'one\r\ntwo', 'one\ntwo\n'],
])('hides it as %s', async (_name, written, value = 'hunter22') => {
  expect(await pass([value], [`x${written}y`])).toBe(`x${hidden}y`);
});

test('does not mask values shorter than four bytes', async () => {
  expect(await pass(['abc'], ['abc abc'])).toBe('abc abc');
});

test('output does not depend on piece boundaries and contains no value', async () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 40 });
  const value = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 4, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(value, { minLength: 1, maxLength: 3 }),
      fc.array(letters),
      async (values, pieces) => {
        const cut = await pass(values, pieces);
        expect(cut).toBe(await pass(values, [pieces.join('')]));
        for (const one of values) expect(cut).not.toContain(one);
      },
    ),
    { numRuns: 200 },
  );
});

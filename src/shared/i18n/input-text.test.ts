import { expect, it } from 'vitest';
import type { z } from 'zod';
import { procedures } from '../contract.ts';
import { errorMessages } from './error-messages.ts';
import { inputProblem, separatorProblem } from './input-text.ts';

/** Fields that the window fills in itself, with what main told it; nobody types them. */
const ofTheWindow =
  /(^|\.)(id|serviceId|grant|uploads|ticket|origin|copyId|hiddenColumns|pane|error|frames)$/;

/** The strings and lists in a schema that have a limit. */
function limitsIn(schema: z.core.$ZodType, place: string): { place: string; isList: boolean }[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const isLimited = def.checks?.some(({ _zod: { def: check } }) =>
    ['max_length', 'min_length'].includes(check.check),
  );
  const here = isLimited ? [{ place, isList: def.type === 'array' }] : [];
  if ('shape' in def)
    return Object.entries(def.shape).flatMap(([key, inner]) =>
      limitsIn(inner, place === '' ? key : `${place}.${key}`),
    );
  if ('element' in def) return [...here, ...limitsIn(def.element, `${place}.0`)];
  if ('options' in def) return def.options.flatMap((option) => limitsIn(option, place));
  if ('valueType' in def) return limitsIn(def.valueType, `${place}.key`);
  if ('in' in def) return limitsIn(def.in, place);
  return 'innerType' in def ? limitsIn(def.innerType, place) : here;
}

it('names the field of every string and list that has a limit', () => {
  const places = Object.values(procedures).flatMap(({ input }) => limitsIn(input, ''));
  const typed = places.filter(({ place }) => !ofTheWindow.test(place.replace(/(\.0)+$/, '')));
  expect(typed.length).toBeGreaterThan(100);
  const names = Object.values<string>(errorMessages.invalidInput.field);
  const unnamed = typed.filter(({ place: field, isList }) =>
    [
      inputProblem({ code: 'invalidInput', field, problem: isList ? 'tooMany' : 'tooLong', limit: 8192 }),
      inputProblem({ code: 'invalidInput', field, problem: 'empty' }),
    ].some((text) => !names.some((name) => text.startsWith(`“${name}” `))),
  );
  expect([...new Set(unnamed.map(({ place }) => place))]).toEqual([]);
});

it('says the limit', () => {
  const problem = { code: 'invalidInput', problem: 'tooLong', limit: 2000 } as const;
  expect(inputProblem({ ...problem, field: 'draft.baseAddress' })).toBe(
    '“Base address” can have up to 2,000 characters. Shorten it, then try again.',
  );
  expect(inputProblem({ ...problem, field: 'draft.classificationSource.values.3' })).toContain(
    '“Classification list” can have up to 2,000 characters.',
  );
});

it('says the limit of a folder on the team’s server in bytes', () => {
  const problem = { code: 'invalidInput', field: 'prefix', problem: 'tooManyBytes', limit: 2000 } as const;
  expect(inputProblem(problem)).toContain('“Folder” can have up to 2,000 bytes');
});

it('says what is wrong with a separator', () => {
  expect(['/', '::', '', ' - '].map(separatorProblem)).toEqual([undefined, undefined, undefined, undefined]);
  expect(separatorProblem('/-/-/-/-/')).toContain('“Folder separator” can have up to 8 characters.');
  expect(separatorProblem('////////')).toContain('The folder separator repeats a character.');
});

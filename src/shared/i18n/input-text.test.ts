import { expect, it } from 'vitest';
import type { z } from 'zod';
import { procedures } from '../contract.ts';
import { fieldTexts } from './field-texts.ts';
import { inputProblem, separatorProblem } from './input-text.ts';

/** Fields that the window fills in itself, with what main told it; nobody types them. */
const ofTheWindow =
  /(^|\.)(id|serviceId|grant|uploads|ticket|key|signer|signature|origin|copyId|lastPart|hiddenColumns|pane|error|frames|(changes|places)\.0\.\w+)$/;
/** Numbers of things, places in a list, and what the command has its own words for. */
const numbersOfTheWindow =
  /(^|\.)((\w*I|i)ds?|from|index|offset|limit|count|batch|before|cancelledOf|list|entries|opened|which|columnWidths\.key|pid|bytesPerSecond|absentMs)$/;

type Limit = 'tooLong' | 'tooMany' | 'empty' | 'characters' | 'tooLarge' | 'tooSmall';
const ofString = { max_length: 'tooLong', min_length: 'empty', string_format: 'characters' } as const;
const ofList = { max_length: 'tooMany', min_length: 'empty' } as const;
const ofNumber = { less_than: 'tooLarge', greater_than: 'tooSmall' } as const;

/** The problems that each place in a schema may have. */
function limitsIn(schema: z.core.$ZodType, place: string): { place: string; problem: Limit }[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const problems: Readonly<Record<string, Limit>> =
    { string: ofString, array: ofList, number: ofNumber }[def.type as string] ?? {};
  const here = (def.checks ?? []).flatMap(({ _zod: { def: check } }) => {
    const problem = problems[check.check];
    // Other formats are those of ids and dates, which nobody types.
    const isTyped = !('format' in check) || check.format === 'regex';
    return problem === undefined || !isTyped ? [] : [{ place, problem }];
  });
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

it('names the field of everything that has a limit', () => {
  const places = Object.values(procedures).flatMap(({ input }) => limitsIn(input, ''));
  const isNumber = (problem: Limit) => problem === 'tooLarge' || problem === 'tooSmall';
  const typed = places.filter(({ place, problem }) => {
    const filled = isNumber(problem) ? numbersOfTheWindow : ofTheWindow;
    return !filled.test(place.replace(/(\.0)+$/, ''));
  });
  const countOf = (problem: Limit) => typed.filter((each) => each.problem === problem).length;
  expect(countOf('tooLong')).toBeGreaterThan(100);
  expect(countOf('characters')).toBeGreaterThan(12);
  expect(countOf('tooLarge')).toBeGreaterThan(20);
  const names = Object.values<string>(fieldTexts);
  const unnamed = typed.filter(({ place: field, problem }) => {
    const text = inputProblem({ code: 'invalidInput', field, problem, limit: 8192 });
    return !names.some((name) => text.startsWith(`“${name}” `));
  });
  expect([...new Set(unnamed.map(({ place, problem }) => `${place} ${problem}`))]).toEqual([]);
});

it('says the limit of a number as its field has it', () => {
  const problem = { code: 'invalidInput', problem: 'tooLarge' } as const;
  expect(inputProblem({ ...problem, field: 'access.server.port', limit: 65_535 })).toBe(
    '“Port” can be at most 65535. Enter less, then try again.',
  );
  expect(inputProblem({ ...problem, field: 'keepReplacedBytes', limit: 1e12 })).toContain('at most 1.0 TB.');
  expect(
    inputProblem({ ...problem, field: 'uploadBytesPerSecond', problem: 'tooSmall', limit: 1024 }),
  ).toContain('at least 1 KB/s.');
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

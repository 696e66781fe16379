import { describe, expect, it } from 'vitest';
import { appErrorSchema, type AppError } from '../errors.ts';
import { errorLine, errorText } from './error-text.ts';

/** One error of every code and variant, generated from the schema. */
const errors = appErrorSchema.options.flatMap((option): AppError[] => {
  const shape: Record<
    string,
    { safeParse(value: unknown): { success: boolean }; options?: readonly unknown[] }
  > = option.shape;
  const [varied] = Object.entries(shape).filter(
    ([key, field]) => key !== 'code' && field.options !== undefined,
  );
  const fixed = Object.fromEntries(
    Object.entries(shape).map(([key, field]) => [
      key,
      [
        'Name',
        12_345,
        true,
        [{ firstByte: 0, lastByte: 9 }],
        [{ what: 'replace', identifiers: ['Name'], count: 2, copies: ['Name'] }],
        ['Name'],
      ].find((value) => field.safeParse(value).success),
    ]),
  );
  const variants = varied?.[1].options?.map((value) => ({ ...fixed, [varied[0]]: value })) ?? [fixed];
  return variants.map((variant) => appErrorSchema.parse({ ...variant, code: option.shape.code.value }));
});

describe('errorText', () => {
  it('has a title and a sentence for every failure there is', () => {
    expect(new Set(errors.map(({ code }) => code)).size).toBe(appErrorSchema.options.length);
    for (const error of errors) {
      const { title, what, next } = errorText(error);
      expect(title).toMatch(/^[A-Z].*[^.]$/);
      for (const sentence of [what, next ?? 'None.']) {
        expect(sentence).not.toMatch(/undefined|NaN|\[object|null/);
        expect(sentence).toMatch(/^[^a-z].*\S$/);
      }
    }
  });

  it('names both an imported list and the team, where either may have said what is not so', () => {
    const length = { code: 'claimedLengthDiffers', expectedBytes: 2, receivedBytes: 3 } as const;
    const digest = { code: 'claimedDigestDiffers', expected: 'a', actual: 'b' } as const;
    for (const { title, what, next } of [length, digest].map(errorText)) {
      expect(what).toContain('imported list or the team');
      expect(`${title} ${next ?? ''}`).not.toMatch(/imported|gave you/);
    }
  });

  it('contains the relevant names and numbers', () => {
    const full = { code: 'diskFull', folderName: 'Downloads', neededBytes: 2_100_000_000 } as const;
    expect(errorText({ ...full, freeBytes: 300_000_000 }).what).toMatch(
      /needs .?2.1 GB.?, but only .?300.0 MB/,
    );
    // Space was freed meanwhile: numbers that contradict the message are left out.
    expect(errorText({ ...full, freeBytes: 3_000_000_000 }).what).not.toMatch(/GB/);
    expect(errorText({ code: 'tooLarge', status: 413, limitBytes: 50_000_000 }).what).toBe(
      'The service accepts up to 50.0 MB.',
    );
    const missing = { missingParts: 2, parts: 5, missingBytes: 4_000, sizeBytes: 9_000 };
    expect(
      errorText({ code: 'partsMissing', gaps: [{ firstByte: 2_000, lastByte: 5_999 }], ...missing }).what,
    ).toMatch(/^2 of 5 parts can’t be fetched, .?4 KB.? of .?9 KB.?: bytes .?2,000.?–.?5,999.?\.$/);
    const refused = { code: 'unreachable', reason: 'refused' } as const;
    expect(errorText({ ...refused, host: '127.0.0.1:9999' }).what).toMatch(/port .?9999.? of this computer/);
    expect(errorText({ ...refused, host: 'objects.example.org:9999' }).what).toMatch(/org:9999/);
    const unexpected = { code: 'unexpectedAnswer', status: 200, problem: 'body: unknown' } as const;
    expect(errorText(unexpected).what).toMatch(/\(200\).*body: unknown/);
    expect(errorText({ ...unexpected, encoding: 'zstd' }).what).toMatch(/“zstd”/);
    const byOther = { ...unexpected, host: 'objects.example.org' };
    expect(errorText({ ...byOther, notService: 'page' }).what).toMatch(/example\.org.? sent a web page/);
    expect(errorText({ ...byOther, notService: 'everything' }).what).toMatch(/answers for everything/);
    expect(errorLine({ code: 'tooManyRequests', status: 429, retryAfterMs: 12_000 })).toBe(
      'Too many requests. The service asked Coffer to slow down. Coffer will try again in 12 s.',
    );
  });
});

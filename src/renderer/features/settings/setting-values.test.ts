import { expect, it } from 'vitest';
import { boundsOf } from '../../../shared/domain/limits.ts';
import { bandwidthSchema, transfersAtOnceSchema, settingsSchema } from '../../../shared/domain/settings.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';
import { rateFigure, readRate, readWhole } from './setting-values.ts';

const { versionReach, keepReplacedDays, keepReplacedBytes, requestsPerSecond } = settingsSchema.shape;

it.each([
  ['0 to 100', boundsOf(versionReach)],
  ['1 to 64', boundsOf(transfersAtOnceSchema)],
  ['1 to 365', boundsOf(keepReplacedDays)],
  ['1 to 1,000', boundsOf(keepReplacedBytes, 1_000_000_000)],
  ['1 to 1,000', boundsOf(requestsPerSecond.unwrap())],
])('accepts and says %s, as the schema has it', (range, bounds) => {
  expect(texts.bounds(bounds)).toBe(range);
  const problem = `Enter a whole number from ${range}.`;
  expect(readWhole(String(bounds.least), bounds)).toEqual({ value: bounds.least });
  expect(readWhole(String(bounds.most), bounds)).toEqual({ value: bounds.most });
  expect(readWhole(String(bounds.least - 1), bounds)).toEqual({ problem });
  expect(readWhole(String(bounds.most + 1), bounds)).toEqual({ problem });
});

it('says the bounds of a rate in the unit that it is entered in', () => {
  const { most } = boundsOf(bandwidthSchema);
  expect(readRate(rateFigure(most, 'MB/s'), 'MB/s')).toEqual({ value: most });
  expect(readRate('10001', 'MB/s')).toEqual({ problem: texts.rateProblems.tooLarge });
  expect(texts.rateProblems.tooLarge).toContain('at most 10,000 MB/s');
  expect(readRate('2', 'KB/s')).toEqual({ value: 2000 });
  expect(readRate('1', 'KB/s')).toEqual({ problem: texts.rateProblems.tooSmall });
  expect(texts.rateProblems.tooSmall).toContain('at least 2 KB/s');
});

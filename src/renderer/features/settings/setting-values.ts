import { boundsOf, type Bounds } from '../../../shared/domain/limits.ts';
import { bandwidthSchema } from '../../../shared/domain/settings.ts';
import { settingsTexts as texts } from '../../i18n/settings-texts.ts';

/** A parsed value, or the problem of the text. */
export type Read<V> = { value: V } | { problem: string };

export const rateUnits = ['KB/s', 'MB/s'] as const;
export type RateUnit = (typeof rateUnits)[number];

const bytesOf: Readonly<Record<RateUnit, number>> = { 'KB/s': 1000, 'MB/s': 1_000_000 };
const bytes = boundsOf(bandwidthSchema);

export function readWhole(
  text: string,
  bounds: Bounds,
  problem: (bounds: Bounds) => string = texts.wholeProblem,
): Read<number> {
  const trimmed = text.trim();
  const value = Number(trimmed);
  return /^\d+$/.test(trimmed) && value >= bounds.least && value <= bounds.most
    ? { value }
    : { problem: problem(bounds) };
}

/** Empty text means null: no limit, or automatic. */
export function readOptional<V>(text: string, read: (text: string) => Read<V>): Read<V | null> {
  return text.trim() === '' ? { value: null } : read(text);
}

/** `20`, `1.5`, `1,5`, or with a unit: `800 KB/s`. Result in bytes per second. */
export function readRate(text: string, unit: RateUnit): Read<number> {
  const found = /^(\d+(?:[.,]\d+)?)\s*(?:([km])b?(?:\/s)?)?$/i.exec(text.trim());
  const [, figure, letter] = found ?? [];
  if (figure === undefined) return { problem: texts.rateProblems.notANumber };
  const own = letter === undefined ? unit : letter.toLowerCase() === 'k' ? 'KB/s' : 'MB/s';
  const value = Math.round(Number(figure.replace(',', '.')) * bytesOf[own]);
  if (value < bytes.least) return { problem: texts.rateProblems.tooSmall };
  return value > bytes.most ? { problem: texts.rateProblems.tooLarge } : { value };
}

/** The most readable unit for a rate. */
export function unitOf(bytesPerSecond: number | null): RateUnit {
  return bytesPerSecond === null || bytesPerSecond >= bytesOf['MB/s'] ? 'MB/s' : 'KB/s';
}

/** As typed: without digit grouping, so that it can be edited. */
export function rateFigure(bytesPerSecond: number | null, unit: RateUnit): string {
  return bytesPerSecond === null ? '' : String(bytesPerSecond / bytesOf[unit]);
}

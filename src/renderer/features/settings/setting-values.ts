import { settingsTexts as texts } from '../../i18n/settings-texts.ts';

/** A parsed value, or the problem of the text. */
export type Read<V> = { value: V } | { problem: string };

export const rateUnits = ['KB/s', 'MB/s'] as const;
export type RateUnit = (typeof rateUnits)[number];

const bytesOf: Readonly<Record<RateUnit, number>> = { 'KB/s': 1000, 'MB/s': 1_000_000 };
const leastBytes = 1024;
const maxBytes = 10_000_000_000;

export function readWhole(text: string, most: number, problem: string, least = 1): Read<number> {
  const trimmed = text.trim();
  const value = Number(trimmed);
  return /^\d+$/.test(trimmed) && value >= least && value <= most ? { value } : { problem };
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
  if (value < leastBytes) return { problem: texts.rateProblems.tooSmall };
  return value > maxBytes ? { problem: texts.rateProblems.tooLarge } : { value };
}

/** The most readable unit for a rate. */
export function unitOf(bytesPerSecond: number | null): RateUnit {
  return bytesPerSecond === null || bytesPerSecond >= bytesOf['MB/s'] ? 'MB/s' : 'KB/s';
}

/** As typed: without digit grouping, so that it can be edited. */
export function rateFigure(bytesPerSecond: number | null, unit: RateUnit): string {
  return bytesPerSecond === null ? '' : String(bytesPerSecond / bytesOf[unit]);
}

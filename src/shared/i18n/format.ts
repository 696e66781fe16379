import { messages } from './messages.ts';
import { languageInForce } from './language.ts';
import { perLocale, wholeNumber as whole } from './intl.ts';

/** Units, dates and durations. */
const texts = messages('format', {
  unit: { B: 'B', KB: 'KB', MB: 'MB', GB: 'GB', TB: 'TB' },
  between: ', ',
  size: '{number} {unit}',
  progress: '{done} of {total}',
  bytes: '{count, plural, one {# byte} other {# bytes}}',
  perSecond: '{size}/s',
  seconds: '{count} s',
  minutes: '{count} min',
  hours: '{count} h',
  minutesSeconds: '{minutes} min {seconds} s',
  hoursMinutes: '{hours} h {minutes} min',
  noDate: 'Unknown',
  todayAt: 'Today {time}',
  dayAt: '{day} {time}',
  justNow: 'Just now',
  minutesAgo: '{count} min ago',
  hoursAgo: '{count} h ago',
  yesterday: 'Yesterday',
});

/**
 * Numbers, sizes and times in the person's language and locale. Moments are in ms since 1970. Never throws, whatever
 * the number: stored values may come from an imported list.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
type Quantity = { number: string; unit: string };

const oneDecimal = perLocale(
  (locale) => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
const upToOneDecimal = perLocale((locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 1 }));
const percent = perLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }),
);
const twoDigits = perLocale((locale) => new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 }));
const clock = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
);
const shortWeekday = perLocale((locale) => new Intl.DateTimeFormat(locale, { weekday: 'short' }));
const shortWeekdayUtc = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'short', timeZone: 'UTC' }),
);
const longWeekdayUtc = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }),
);
const day = perLocale((locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }));
const dayAndYear = perLocale(
  (locale) => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }),
);

export function formatCount(count: number): string {
  return whole().format(count);
}

/** `a, b, c`; null and false are left out. */
export function formatList(parts: readonly (string | null | false)[]): string {
  return parts.filter((part) => part !== null && part !== false).join(texts.between);
}

/** Decimal units, one decimal from 1 MB: `411 B`, `86 KB`, `38.4 MB`. Number and unit are separate, for columns. */
export function formatBytes(bytes: number): Quantity {
  let value = bytes;
  let step = 0;
  while (step < units.length - 1 && Number(value.toFixed(step >= 2 ? 1 : 0)) >= 1000) {
    value /= 1000;
    step += 1;
  }
  return {
    number: (step >= 2 ? oneDecimal : whole)().format(value),
    unit: texts.unit[units[step] ?? 'B'],
  };
}

export function formatSize(bytes: number): string {
  return texts.size(formatBytes(bytes));
}

const exactNumber = perLocale(
  (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 12, useGrouping: false }),
);

/** To be edited, so nothing is rounded: `50 MB`, `52.4288 MB`, `61 B`. */
export function formatSizeToEdit(bytes: number): string {
  const step = units.findLastIndex((_unit, at) => bytes >= 1000 ** at);
  const number = exactNumber().format(bytes / 1000 ** Math.max(0, step));
  return texts.size({ number, unit: texts.unit[units[step] ?? 'B'] });
}

/** Reads what `formatSizeToEdit` writes, and `50mb` or `1,000,000` as well; a number alone is bytes. null: it is no size. */
export function readSize(text: string): number | null {
  const { locale } = languageInForce();
  const parts = new Intl.NumberFormat(locale).formatToParts(12_345.6);
  const partOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const plain = text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll(partOf('group'), '')
    .replace(partOf('decimal'), '.');
  const [, number, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(\D*?)\s*$/.exec(plain) ?? [];
  const isNamed = (name: string) => unit.toLowerCase() === name.toLowerCase();
  const step = unit === '' ? 0 : units.findIndex((name) => isNamed(name) || isNamed(texts.unit[name]));
  const bytes = Math.round(Number(number) * 1000 ** step);
  return step >= 0 && bytes > 0 && Number.isSafeInteger(bytes) ? bytes : null;
}

/** `24.6 of 38.4 MB`: the unit appears once if both have the same. */
export function formatProgress(doneBytes: number, totalBytes: number): string {
  const done = formatBytes(doneBytes);
  const total = formatBytes(totalBytes);
  return texts.progress({
    done: done.unit === total.unit ? done.number : texts.size(done),
    total: texts.size(total),
  });
}

export function formatExactBytes(bytes: number): string {
  return texts.bytes({ count: bytes });
}

/** `4.8 MB` and `4,821,336 bytes`; of small ones `61 bytes` alone. */
export function sizeTexts(bytes: number): { short: string; exact: string | null } {
  const exact = formatExactBytes(bytes);
  return bytes < 1000 ? { short: exact, exact: null } : { short: formatSize(bytes), exact };
}

export function formatSpeed(bytesPerSecond: number): string {
  return texts.perSecond({ size: formatSize(bytesPerSecond) });
}

/** A configured rate: `5 MB/s`, `1.5 MB/s`, `800 KB/s`. */
export function formatRate(bytesPerSecond: number): string {
  const isMega = bytesPerSecond >= 1_000_000;
  const number = upToOneDecimal().format(bytesPerSecond / (isMega ? 1_000_000 : 1000));
  return texts.perSecond({ size: texts.size({ number, unit: isMega ? texts.unit.MB : texts.unit.KB }) });
}

/** `MB/s` in the person's language. */
export function formatRateUnit(unit: 'KB/s' | 'MB/s'): string {
  return texts.perSecond({ size: unit === 'MB/s' ? texts.unit.MB : texts.unit.KB });
}

/** @param fraction 0 to 1; rounded down, so that 100% appears only at the end */
export function formatPercent(fraction: number): string {
  return percent().format(Math.floor(Math.min(1, Math.max(0, fraction)) * 100) / 100);
}

/** The two largest non-zero units: `7 s`, `2 min`, `1 h 5 min`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < minuteMs) return texts.seconds({ count: Math.max(0, Math.ceil(durationMs / 1000)) });
  const all = Math.round(durationMs / minuteMs);
  if (all < 60) return texts.minutes({ count: all });
  const hours = Math.floor(all / 60);
  const minutes = all % 60;
  return minutes === 0 ? texts.hours({ count: hours }) : texts.hoursMinutes({ hours, minutes });
}

/** A countdown: `9 min`, below two minutes `1 min 48 s`. */
export function formatRemaining(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  if (seconds > 120) return texts.minutes({ count: Math.floor(seconds / 60) });
  if (seconds < 60) return texts.seconds({ count: seconds });
  return texts.minutesSeconds({ minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}

/** `1:48`, `0:07`. */
export function formatStopwatch(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  return `${whole().format(Math.floor(seconds / 60))}:${twoDigits().format(seconds % 60)}`;
}

/** Outside the range of dates (275,760 years either way), where Intl and `toISOString` throw. */
function isNoDate(atMs: number): boolean {
  return Number.isNaN(new Date(atMs).getTime());
}

/** `17:36` today, `13 Jul` this year, `3 Nov 2025` before. */
export function formatTime(atMs: number, nowMs = Date.now()): string {
  if (isNoDate(atMs)) return texts.noDate;
  const at = new Date(atMs);
  const now = new Date(nowMs);
  if (at.getFullYear() !== now.getFullYear()) return dayAndYear().format(at);
  return at.getMonth() === now.getMonth() && at.getDate() === now.getDate()
    ? clock().format(at)
    : day().format(at);
}

/** `Today 09:12`, `13 Jul 09:12` this year, `3 Nov 2025 09:12` before. */
export function formatMoment(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  if (isNoDate(atMs)) return texts.noDate;
  const time = formatClock(atMs);
  const isToday = at.toDateString() === now.toDateString();
  return isToday ? texts.todayAt({ time }) : texts.dayAt({ day: formatTime(atMs, nowMs), time });
}

export function formatClock(atMs: number): string {
  return isNoDate(atMs) ? texts.noDate : clock().format(atMs);
}

/** `18:00`; more than a day ahead `Mon 08:00`. */
export function formatUntil(atMs: number, nowMs = Date.now()): string {
  const time = formatClock(atMs);
  if (isNoDate(atMs) || atMs - nowMs < 24 * hourMs) return time;
  return texts.dayAt({ day: shortWeekday().format(atMs), time });
}

/** `Monday`, `Mon`. @param fromMonday 0 to 6 */
export function formatWeekday(fromMonday: number, length: 'long' | 'short' = 'long'): string {
  // 5 January 1970 was a Monday.
  const atMs = (4 + fromMonday) * 24 * hourMs;
  return isNoDate(atMs)
    ? texts.noDate
    : (length === 'short' ? shortWeekdayUtc : longWeekdayUtc)().format(atMs);
}

/** An hour of the day: `08`. */
export function formatHour(hour: number): string {
  return twoDigits().format(hour);
}

/** `08:00`; the end of a day is `24:00`. */
export function formatHourClock(hour: number): string {
  return `${twoDigits().format(hour)}:${twoDigits().format(0)}`;
}

export function formatDate(atMs: number): string {
  return isNoDate(atMs) ? texts.noDate : dayAndYear().format(atMs);
}

/** `3 – 13 Jul 2026`; a single date if both are on the same day. */
export function formatDateRange(fromMs: number, toMs: number): string {
  if (isNoDate(fromMs) || isNoDate(toMs)) return texts.noDate;
  return dayAndYear().formatRange(Math.min(fromMs, toMs), Math.max(fromMs, toMs));
}

/** The `dateTime` attribute of a `time` element. */
export function formatIso(atMs: number): string | undefined {
  return isNoDate(atMs) ? undefined : new Date(atMs).toISOString();
}

/** How long ago: `just now`, `5 min ago`, `3 h ago`, `Yesterday`, then like `formatTime`. */
export function formatAgo(atMs: number, nowMs = Date.now()): string {
  if (isNoDate(atMs)) return texts.noDate;
  const agoMs = nowMs - atMs;
  if (agoMs < minuteMs) return texts.justNow;
  if (agoMs < hourMs) return texts.minutesAgo({ count: Math.floor(agoMs / minuteMs) });
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= midnight) return texts.hoursAgo({ count: Math.floor(agoMs / hourMs) });
  const midnightBefore = new Date(midnight - 12 * hourMs).setHours(0, 0, 0, 0);
  return atMs >= midnightBefore ? texts.yesterday : formatTime(atMs, nowMs);
}

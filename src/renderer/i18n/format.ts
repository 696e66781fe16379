/**
 * Numbers, sizes and times in the person's locale. Moments are milliseconds since 1970; nothing here throws, whatever the
 * number: what was kept may come from a list that somebody else wrote.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
type Quantity = { number: string; unit: string };

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const oneDecimal = new Intl.NumberFormat(undefined, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 0 });
const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const weekday = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const dayAndYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

export function formatCount(count: number): string {
  return whole.format(count);
}

/** `1 object`, `1,204 objects`. */
export function formatCounted(count: number, one: string, other: string): string {
  return `${whole.format(count)} ${count === 1 ? one : other}`;
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const ordinalEnds = { zero: 'th', one: 'st', two: 'nd', few: 'rd', many: 'th', other: 'th' } as const;

/** `4th`, `21st`. */
export function formatOrdinal(place: number): string {
  return `${whole.format(place)}${ordinalEnds[ordinals.select(place)]}`;
}

/** Decimal units, one decimal from 1 MB: `411 B`, `86 KB`, `38.4 MB`. Number and unit stand in columns of their own. */
export function formatBytes(bytes: number): Quantity {
  let value = bytes;
  let step = 0;
  while (step < units.length - 1 && Number(value.toFixed(step >= 2 ? 1 : 0)) >= 1000) {
    value /= 1000;
    step += 1;
  }
  return { number: (step >= 2 ? oneDecimal : whole).format(value), unit: units[step] ?? 'B' };
}

export function formatSize(bytes: number): string {
  const { number, unit } = formatBytes(bytes);
  return `${number} ${unit}`;
}

/** `24.6 of 38.4 MB`: the unit once when both have the same. */
export function formatProgress(doneBytes: number, totalBytes: number): string {
  const done = formatBytes(doneBytes);
  const total = formatBytes(totalBytes);
  const left = done.unit === total.unit ? done.number : `${done.number} ${done.unit}`;
  return `${left} of ${total.number} ${total.unit}`;
}

export function formatExactBytes(bytes: number): string {
  return formatCounted(bytes, 'byte', 'bytes');
}

export function formatSpeed(bytesPerSecond: number): string {
  return `${formatSize(bytesPerSecond)}/s`;
}

const upToOneDecimal = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A figure that a person set: `5 MB/s`, `1.5 MB/s`, `800 KB/s`. */
export function formatRate(bytesPerSecond: number): string {
  const isMega = bytesPerSecond >= 1_000_000;
  return `${upToOneDecimal.format(bytesPerSecond / (isMega ? 1_000_000 : 1000))} ${isMega ? 'MB' : 'KB'}/s`;
}

/** @param fraction 0 to 1; rounded down, so that 100% is said at the end only */
export function formatPercent(fraction: number): string {
  return percent.format(Math.floor(Math.min(1, Math.max(0, fraction)) * 100) / 100);
}

/** The two largest units that matter: `7 s`, `2 min`, `1 h 5 min`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < minuteMs) return `${whole.format(Math.max(0, Math.ceil(durationMs / 1000)))} s`;
  const all = Math.round(durationMs / minuteMs);
  if (all < 60) return `${whole.format(all)} min`;
  const hours = Math.floor(all / 60);
  const minutes = all % 60;
  return minutes === 0 ? `${whole.format(hours)} h` : `${whole.format(hours)} h ${minutes} min`;
}

/** To the second, for what runs out: `9 min`, below two minutes `1 min 48 s`. */
export function formatRemaining(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  if (seconds > 120) return `${whole.format(Math.floor(seconds / 60))} min`;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `1:48`, `0:07`. */
export function formatStopwatch(leftMs: number): string {
  const seconds = Math.max(0, Math.floor(leftMs / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Beyond what a date can hold (275,760 years either way), where Intl and `toISOString` throw. */
function isNoDate(atMs: number): boolean {
  return Number.isNaN(new Date(atMs).getTime());
}

const noDate = 'Unknown';

/** `17:36` today, `13 Jul` this year, `3 Nov 2025` before. */
export function formatTime(atMs: number, nowMs = Date.now()): string {
  if (isNoDate(atMs)) return noDate;
  const at = new Date(atMs);
  const now = new Date(nowMs);
  if (at.getFullYear() !== now.getFullYear()) return dayAndYear.format(at);
  return at.getMonth() === now.getMonth() && at.getDate() === now.getDate()
    ? clock.format(at)
    : day.format(at);
}

/** `Today 09:12`, `13 Jul 09:12` this year, `3 Nov 2025` before. */
export function formatMoment(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  if (at.getFullYear() !== now.getFullYear()) return formatTime(atMs, nowMs);
  const isToday = at.toDateString() === now.toDateString();
  return `${isToday ? 'Today' : formatTime(atMs, nowMs)} ${formatClock(atMs)}`;
}

export function formatClock(atMs: number): string {
  return isNoDate(atMs) ? noDate : clock.format(atMs);
}

/** `18:00`; more than a day ahead `Mon 08:00`. */
export function formatUntil(atMs: number, nowMs = Date.now()): string {
  const clockText = formatClock(atMs);
  return isNoDate(atMs) || atMs - nowMs < 24 * hourMs ? clockText : `${weekday.format(atMs)} ${clockText}`;
}

export function formatDate(atMs: number): string {
  return isNoDate(atMs) ? noDate : dayAndYear.format(atMs);
}

/** For the `dateTime` of a `time` element. */
export function formatIso(atMs: number): string | undefined {
  return isNoDate(atMs) ? undefined : new Date(atMs).toISOString();
}

/** For "checked": `just now`, `5 min ago`, `3 h ago`, `Yesterday`, then as `formatTime`. */
export function formatAgo(atMs: number, nowMs = Date.now()): string {
  if (isNoDate(atMs)) return noDate;
  const agoMs = nowMs - atMs;
  if (agoMs < minuteMs) return 'Just now';
  if (agoMs < hourMs) return `${Math.floor(agoMs / minuteMs)} min ago`;
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= midnight) return `${Math.floor(agoMs / hourMs)} h ago`;
  const midnightBefore = new Date(midnight - 12 * hourMs).setHours(0, 0, 0, 0);
  return atMs >= midnightBefore ? 'Yesterday' : formatTime(atMs, nowMs);
}

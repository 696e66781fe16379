import { join } from 'node:path';
import { closeSync, fstatSync, openSync, readSync } from '../local-files/fs.ts';
import { callOf, errorFacts, isCode } from '../crashes/error-facts.ts';

/** How much of a log file is read, from its end. */
const tailBytes = 512 * 1024;
const maxLineLength = 2000;

/** The last lines of the log, the oldest first, without line ends. @param folder of the log files */
export function readLastLines(folder: string, count: number): string[] {
  const newest = readTail(join(folder, 'coffer.log'));
  if (newest.length >= count) return newest.slice(-count);
  return [...readTail(join(folder, 'coffer.1.log')), ...newest].slice(-count);
}

function readTail(path: string): string[] {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(Math.min(size, tailBytes));
    const length = readSync(file, bytes, 0, bytes.length, size - bytes.length);
    const lines = bytes.toString('utf8', 0, length).split('\n');
    // The first line is cut off.
    if (size > tailBytes) lines.shift();
    return lines.filter((line) => line !== '');
  } catch {
    // There is no log yet.
    return [];
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** Details whose text is a word defined in the code. */
const codeKeys = new Set([
  'code',
  'direction',
  'error',
  'from',
  'issue',
  'method',
  'pane',
  'problem',
  'reason',
  'state',
  'syscall',
  'to',
]);
/** Details whose text may have other characters, and the pattern that it must match. */
const versionPattern = /^\d+(?:\.\d+){1,4}(?:[-+][\w.]{1,20})?$/;
const patterns: ReadonlyMap<string, RegExp> = new Map([
  ['operation', /^api\/[a-z-]{1,30}$/],
  ['procedure', /^[A-Za-z]{1,40}\.[A-Za-z]{1,40}$/],
  ['reference', /^[0-9a-f]{8}$/],
  ...['version', 'electron', 'chrome', 'node', 'openssl', 'sqlite'].map(
    (name) => [name, versionPattern] as const,
  ),
]);
/** Details that are numbers or booleans. */
const plainKeys = new Set([
  'again',
  'attempt',
  'bytes',
  'count',
  'delayMs',
  'elapsedMs',
  'exitCode',
  'id',
  'restarts',
  'sentBytes',
  'status',
]);
const leftOut = '…';

/**
 * A line of the log as a report shows it: time, level, message, details. Messages are constants of the code. Of the details, only what
 * is known to be harmless stays: known keys with values that look as they should. Everything else becomes `…`.
 * @param serviceNumber the number of a service in the report, by its id; undefined: it is not set up any more
 */
export function cleanLogLine(line: string, serviceNumber: (id: string) => number | undefined): string {
  const entry = parse(line);
  if (entry === null) return leftOut;
  const { time, level, msg, ...details } = entry;
  const head = [
    typeof time === 'string' && /^[\dT:.Z-]{10,30}$/.test(time) ? time : leftOut,
    isCode(level) ? level.padEnd(5) : leftOut,
    typeof msg === 'string' ? msg : leftOut,
  ].join(' ');
  const shown = Object.entries(details).map(([key, value]) => {
    const text = clean(key, value, serviceNumber);
    return text === null ? leftOut : `${key}=${text}`;
  });
  return [head, ...shown].join('  ').slice(0, maxLineLength);
}

/** null: leave it out, with its key. */
function clean(
  key: string,
  value: unknown,
  serviceNumber: (id: string) => number | undefined,
): string | null {
  if (key === 'cause') return JSON.stringify(errorFacts(value));
  if (key === 'frames' && Array.isArray(value))
    return JSON.stringify(value.flatMap((each) => (typeof each === 'string' ? (callOf(each) ?? []) : [])));
  const isPlain = typeof value === 'number' || typeof value === 'boolean' || value === null;
  if (isPlain && (plainKeys.has(key) || codeKeys.has(key))) return String(value);
  if (typeof value !== 'string') return null;
  if (key === 'serviceId') return String(serviceNumber(value) ?? leftOut);
  if (key === 'sql') return JSON.stringify(withoutLiterals(value));
  if (codeKeys.has(key)) return isCode(value) ? value : null;
  return patterns.get(key)?.test(value) ? value : null;
}

/** Statements have parameters in place of values; this removes string literals all the same. */
function withoutLiterals(sql: string): string {
  return sql
    .replace(/'(?:[^']|'')*'?/g, '?')
    .replace(/\s+/g, ' ')
    .slice(0, 300);
}

function parse(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

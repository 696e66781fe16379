import type { Meanwhile } from './computer.ts';

/** Acceptable response time in the window. */
const answerMs = 100;

/** One line: what was measured, what it is compared with, and what it should be. */
export function report(name: string, measured: string, beside: string, isMet: boolean, target: string): void {
  const verdict = isMet ? '' : '  MISSED';
  console.log(`${name.padEnd(42)}${measured.padStart(12)}   ${beside} (target ${target})${verdict}`);
}

export function reportAnswers(name: string, { answersMs, blockedMs }: Meanwhile): void {
  const longest = Math.max(...answersMs);
  report(
    `  answers of the list during ${name}`,
    `${longest.toFixed(0)} ms`,
    `longest of ${String(answersMs.length)}; p95 ${share(answersMs, 0.95).toFixed(0)} ms, main blocked for ${blockedMs.toFixed(0)} ms at most`,
    longest <= answerMs,
    `${String(answerMs)} ms`,
  );
}

/** A percentile. @param part 0.95: the value that 95 % do not exceed */
export function share(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? 0;
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
export const ratio = (a: number, b: number): string => (a / b).toFixed(2);

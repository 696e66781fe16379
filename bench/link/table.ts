import type { Answered } from '../parts/service.ts';
import type { Ran } from './coffer.ts';
import type { Line } from './proxy.ts';

export interface Row {
  readonly name: string;
  readonly ran: Ran;
  /** What as much took with curl; null: nothing is compared. */
  readonly curlMs: number | null;
  readonly target: Target | null;
  readonly answered: Answered;
  readonly connections: number;
}

/** At most so many times what curl takes, so many seconds, or so many requests refused. */
type Target = { readonly ratio: number } | { readonly seconds: number } | { readonly refused: number };

/** By round trip, set and what is done: with a limit of the line as without. */
const targets: Readonly<Record<string, Target>> = {
  '1 300 put': { ratio: 4 },
  '1 1500 put': { ratio: 3 },
  '50 300 put': { ratio: 3 },
  '50 1500 put': { ratio: 2 },
  '50 60 put': { ratio: 1.3 },
  '50 6 put': { ratio: 1.1 },
  '50 300 get': { ratio: 2 },
  '50 1500 get': { ratio: 2 },
  '50 60 get': { ratio: 1.3 },
  '50 6 get': { ratio: 1.1 },
  '50 300 check': { ratio: 1.5 },
  '50 1500 check': { ratio: 1.5 },
  '50 300 rm': { ratio: 4 },
  '50 1500 rm': { ratio: 4 },
  '50 300 deferred-put': { seconds: 5 },
};

/** Of any number of files, beyond what one takes. */
const maxMoreBytes = 64 * 2 ** 20;

export function targetOf({ rttMs }: Line, set: string, what: string): Target | null {
  return targets[`${String(rttMs)} ${set} ${what}`] ?? null;
}

/** Prints a row as soon as it is measured. */
export class Table {
  readonly #start: Ran;

  /** @param start what the command takes for one file */
  constructor(start: Ran) {
    this.#start = start;
    console.log(
      `coffer put of one file, without a line: ${seconds(start.ms)}, ${megabytes(start.peakBytes)}\n`,
    );
    console.log(lineOf('', 'coffer', 'curl', 'ratio', 'target', 'refused', 'memory', 'open', 'requests'));
  }

  print({ name, ran, curlMs, target, answered, connections }: Row): void {
    const { kinds, refused, requests, smallMs } = answered;
    const counts = Object.entries(kinds).map(([kind, count]) => `${kind} ${String(count)}`);
    const isMixed = smallMs !== null && name.startsWith('mixed');
    const share = requests === 0 ? 0 : (100 * refused) / requests;
    const ratio = curlMs === null ? null : ran.ms / curlMs;
    const moreBytes = ran.peakBytes - this.#start.peakBytes;
    console.log(
      lineOf(
        name,
        ran.ms === Infinity ? 'not finished' : seconds(ran.ms),
        curlMs === null ? '' : seconds(curlMs),
        ratio === null || ratio === Infinity ? '' : ratio.toFixed(2),
        target === null ? '' : textOf(target) + verdict(isMet(target, ran.ms, ratio, refused)),
        refused === 0 ? '' : `${String(refused)} (${share.toFixed(0)} %)`,
        `${megabytes(moreBytes)} more${verdict(moreBytes <= maxMoreBytes)}`,
        String(connections),
        counts.join(', ') + (isMixed ? `; median small file ${seconds(smallMs)}` : ''),
      ),
    );
  }
}

function isMet(target: Target, ms: number, ratio: number | null, refused: number): boolean {
  if ('seconds' in target) return ms <= target.seconds * 1000;
  if ('refused' in target) return refused <= target.refused;
  return (ratio ?? Infinity) <= target.ratio;
}

function textOf(target: Target): string {
  if ('seconds' in target) return seconds(target.seconds * 1000);
  return 'refused' in target ? `${String(target.refused)} refused` : target.ratio.toFixed(1);
}

function lineOf(name: string, ...cells: readonly string[]): string {
  const widths = [13, 9, 8, 18, 12, 20, 6];
  const padded = cells.map((cell, index) => cell.padStart(widths[index] ?? 0));
  return `  ${name.padEnd(26)}${padded.slice(0, -1).join('')}   ${cells.at(-1) ?? ''}`;
}

const verdict = (isMet: boolean): string => (isMet ? '' : ' MISSED');
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

import { parseArgs } from 'node:util';
import type { Line } from './proxy.ts';
import { setNames, type SetName } from './sets.ts';

const works = ['put', 'get', 'check', 'rm', 'deferred-put', 'deferred-get', 'tls', 'refusals'] as const;
export type Work = (typeof works)[number];

export interface Choices {
  readonly lines: readonly Line[];
  readonly sets: readonly SetName[];
  readonly works: readonly Work[];
  readonly rounds: number;
  readonly limitMs: number;
}

export function readChoices(args: string[]): Choices {
  const { values } = parseArgs({
    args,
    options: {
      rtt: { type: 'string', default: '1,20,50,50@100,150' },
      set: { type: 'string', default: setNames.join() },
      what: { type: 'string', default: works.join() },
      rounds: { type: 'string', default: '1' },
      limit: { type: 'string', default: '300' },
    },
  });
  return {
    lines: values.rtt.split(',').map(readLine),
    sets: choose('--set', values.set, setNames),
    works: choose('--what', values.what, works),
    rounds: readNumber('--rounds', values.rounds),
    limitMs: readNumber('--limit', values.limit) * 1000,
  };
}

/** `50`, or `50@100` with a limit in Mbit/s. */
function readLine(text: string): Line {
  const [rtt = '', mbits] = text.split('@');
  return {
    rttMs: readNumber('--rtt', rtt),
    mbits: mbits === undefined ? null : readNumber('--rtt', mbits),
  };
}

function choose<T extends string>(option: string, text: string, all: readonly T[]): T[] {
  const given = text.split(',');
  const unknown = given.find((each) => !all.some((known) => known === each));
  if (unknown !== undefined) throw new Error(`${option} has no "${unknown}". There are: ${all.join(', ')}`);
  return all.filter((each) => given.includes(each));
}

function readNumber(option: string, text: string): number {
  const value = Number(text);
  if (text === '' || !(value > 0)) throw new Error(`${option}: "${text}" is not a number above 0`);
  return value;
}
